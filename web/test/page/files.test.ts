import assert from 'node:assert/strict';
import { open, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { EDGE, SAMPLE, WEB, Site, drop, showsSfen, typeNumber, within, withoutDownloads, withoutModule } from './harness.js';

const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL';

const movesOf = (page: Page) => decodeURIComponent(/moves=([^&#]*)/.exec(page.url())?.[1] ?? '').replaceAll(',', ' ');

async function showsMoves(page: Page, moves: string): Promise<void> {
  for (let tries = 0; tries < 100 && movesOf(page) !== moves; tries += 1) await page.waitForTimeout(50);
  assert.equal(movesOf(page), moves);
}

describe('files that are dropped or chosen', { skip: withoutModule }, () => {
  let site: Site;
  before(async () => {
    site = await Site.start();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  test('dropped_kif_in_cp932_opens', async () => {
    const { page, requests } = await site.open('?lang=ja');
    await page.locator('komabako-page[data-workers=ready]').waitFor();
    const loaded = requests.length;
    const content = await readFile(join(EDGE, 'names.kif'));
    assert.throws(() => new TextDecoder('utf-8', { fatal: true }).decode(content));
    const expected = (JSON.parse(await readFile(join(EDGE, 'expected.json'), 'utf8')) as { file: string; moves?: string }[]).find(({ file }) => file === 'names.kif')!;
    await drop(page, 'names.kif', content);
    await showsMoves(page, expected.moves!);
    await page.locator('.moves').getByText('▲5八玉').waitFor();
    assert.deepEqual(requests.slice(loaded).filter((address) => !address.startsWith('data:')), [], 'nothing is sent');
  });

  test('certificates_are_checked', async () => {
    const { page, requests } = await site.open('?lang=en');
    await page.locator('komabako-page[data-workers=ready]').waitFor();
    const loaded = requests.length;
    const content = await readFile(join(WEB, 'test/fixtures/mate.kmc'));
    await drop(page, 'mate.kmc', content);
    const list = page.locator('komabako-files-tab ol');
    await list.getByText('Shown: mate within 3 (3 nodes)').waitFor();
    await list.getByText('Shown: no mate within 1 (1 node)').waitFor();
    assert.deepEqual(requests.slice(loaded).filter((address) => !address.startsWith('data:')), [], 'nothing is sent');
    content.writeUInt8(content.readUInt8(70) ^ 1, 70);
    await drop(page, 'damaged.kmc', content);
    await list.getByText('Not shown: the checksum does not fit: the file is damaged').waitFor();
  });

  test('invalid_cp932_is_reported_with_its_line', async () => {
    const { page } = await site.open('?lang=en');
    const content = await readFile(join(EDGE, 'names.kif'));
    await drop(page, 'damaged.kif', Buffer.concat([content, Buffer.from([0x81, 0x0a, 0x81])]));
    assert.match((await page.locator('komabako-paste-dialog .fault').textContent()) ?? '', /line \d+/i);
  });

  test('dropped_csa_shows_its_scores', async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'v3.csa', await readFile(join(EDGE, 'v3.csa')));
    await showsMoves(page, '7g7f 3c3d');
    assert.deepEqual(await page.locator('.moves .score').allTextContents(), ['+35', '−40']);
  });

  test('dropped_psv_in_zstd_opens', async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'first-300.psv.zst', await readFile(join(WEB, 'src/sample.psv.zst')));
    await page.getByRole('tab', { name: 'Files', selected: true }).waitFor();
    await page.locator('.record').waitFor();
    await page.getByRole('button', { name: 'Statistics' }).click();
    await page.getByText('300 records', { exact: true }).last().waitFor();
    await page.getByText('The checksum is not checked here.').waitFor();
  });

  test('gigabyte_file_opens_within_a_second', async () => {
    const big = join(tmpdir(), `komabako-${process.pid}.psv`);
    const sample = await readFile(SAMPLE);
    const file = await open(big, 'w');
    await file.write(sample);
    await file.close();
    await truncate(big, 1 << 30);
    try {
      const { page } = await site.open('?lang=en#files');
      await within(1000, async () => {
        await page.locator('komabako-files-tab input[type=file]').setInputFiles(big);
        await page.getByText('26,843,545 records').waitFor();
        await page.locator('.record').waitFor();
      });
    } finally {
      await rm(big);
    }
  });

  test('statistics_of_the_sample_are_shown', async () => {
    const { page } = await site.open('?lang=en#files');
    await page.locator('komabako-files-tab input[type=file]').setInputFiles(SAMPLE);
    await page.locator('.record').waitFor();
    await page.getByRole('button', { name: 'Statistics' }).click();
    // `komabako stats data/sample.psv --json`: black_wins 1355, draws 146, white_wins 499.
    await page.getByText('Black wins 1,355 (67.8 %) · Draws 146 (7.3 %) · White wins 499').waitFor();
    await page.getByText('mean 61.4').waitFor();
    // `pieces[0].black.unpromoted` and `moves` of test/fixtures/sample-stats.json.
    await page.locator('[data-json="/pieces/0/black/unpromoted"]').getByText('7.68').waitFor();
    await page.getByText('on the board 1,534 · drops 466 · captures 629 · promotions 167').waitFor();
  });

  test('finding_leads_to_its_record', async () => {
    const damaged = Buffer.from(await readFile(SAMPLE));
    // The move of record 1500: from a square to itself.
    damaged.writeUInt16LE(0x0204, 1500 * 40 + 34);
    const { page } = await site.open('?lang=en#files');
    await page.locator('komabako-files-tab input[type=file]').setInputFiles({ name: 'damaged.psv', mimeType: '', buffer: damaged });
    await page.locator('.record').waitFor();
    await page.getByRole('button', { name: 'Look for faults' }).click();
    await page.getByRole('button', { name: '1501', exact: true }).click();
    await page.getByText('60,000', { exact: true }).waitFor();
  });

  test('saved_sample_contains_records_of_the_file', { skip: withoutDownloads }, async () => {
    const { page } = await site.open('?lang=en#files');
    await page.locator('komabako-files-tab input[type=file]').setInputFiles(SAMPLE);
    await page.locator('.record').waitFor();
    await typeNumber(page.locator('.sample input').first(), '100');
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save a sample' }).click()]);
    assert.equal(saved.suggestedFilename(), 'sample-sample.psv');
    const drawn = await readFile(await saved.path());
    const whole = await readFile(SAMPLE);
    assert.equal(drawn.length, 4000);
    for (let at = 0; at < drawn.length; at += 40) assert.ok(whole.includes(drawn.subarray(at, at + 40)), `record ${at / 40}`);
  });

  test('dropped_board_diagram_shows_its_position', async () => {
    const { page } = await site.open('?lang=en');
    const content = await readFile(join(EDGE, 'position.bod'));
    await drop(page, 'position.bod', content);
    const expected = (JSON.parse(await readFile(join(EDGE, 'expected.json'), 'utf8')) as { file: string; sfen?: string }[]).find(({ file }) => file === 'position.bod')!;
    assert.notEqual(expected.sfen!.split(' ')[0], START);
    await showsSfen(page, expected.sfen!);
  });
});
