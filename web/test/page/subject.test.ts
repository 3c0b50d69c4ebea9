/** A result belongs to its subject: it is shown only with the position or file that it was computed for. */

import assert from 'node:assert/strict';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { SAMPLE, Site, drop, paste, showsSfen, withoutModule } from './harness.js';

/** A mate in five, and the start of a problem that is not solved quickly. */
const FIVE = '1+n7/9/1k7/s8/3pB4/9/9/9/9 b RGSrb3g2s3n4l17p 1';
const LONG = 'g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1';
const ONE = '4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1';
const address = (sfen: string) => `?sfen=${sfen.replaceAll('+', '%2B').replaceAll(' ', '_')}&lang=en#solve`;

describe('results and their subjects', { skip: withoutModule }, () => {
  let site: Site;
  before(async () => {
    site = await Site.start();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  test('answer_of_another_position_is_grey_and_leads_back', async () => {
    const { page } = await site.open(address(FIVE));
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByRole('heading', { name: 'Mate in 5' }).waitFor();
    const answer = page.locator('.answer');
    assert.equal(await answer.getByRole('img', { name: 'The position of this answer' }).count(), 1);
    assert.equal(await page.locator('.answer.stale').count(), 0);
    await paste(page, ONE);
    await page.locator('.answer.stale').waitFor();
    await page.getByRole('button', { name: 'Back to the line' }).click();
    await showsSfen(page, FIVE.replace(/ 1$/, ' 1'));
    await page.locator('.answer:not(.stale)').waitFor();
  });

  test('line_is_not_marked_after_a_deviation', async () => {
    const { page } = await site.open(address(FIVE));
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByRole('heading', { name: 'Mate in 5' }).waitFor();
    const marked = page.locator('.line [aria-current=step]');
    await page.locator('.line button').first().click();
    await marked.waitFor();
    // Another second move: the first legal one that is not of the line.
    const second = (await page.locator('.usi').textContent())!.split(' ')[1];
    await page.getByRole('tab', { name: 'Moves' }).click();
    const other = page.locator('komabako-moves-tab tbody tr').filter({ hasNot: page.getByText(second!, { exact: true }) }).first();
    await other.getByRole('button').click();
    await page.getByRole('tab', { name: 'Mate' }).click();
    await page.locator('.answer.stale').waitFor();
    assert.equal(await marked.count(), 0);
    await page.getByRole('button', { name: 'Back to the line' }).click();
    await page.locator('.answer:not(.stale)').waitFor();
    await page.locator('.line button').nth(1).click();
    assert.equal(await marked.count(), 1);
  });

  test('new_position_cancels_the_search', async () => {
    const { page } = await site.open(address(LONG));
    await page.locator('komabako-page[data-workers=ready]').waitFor();
    await page.getByText('Options').click();
    await page.getByLabel('Stop after').selectOption({ label: 'never' });
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByText(/M\/s/).waitFor();
    await page.getByRole('tab', { name: 'Game' }).click();
    await paste(page, ONE);
    await page.getByRole('tab', { name: 'Mate' }).click();
    assert.equal(await page.locator('.progress').count(), 0);
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByRole('heading', { name: 'Mate in 1' }).waitFor();
    await page.waitForTimeout(300);
    assert.equal(await page.getByRole('heading', { name: 'Mate in 1' }).count(), 1, 'the cancelled search does not replace it');
  });

  test('statistics_of_a_replaced_file_are_not_shown', async () => {
    const { page } = await site.open('?lang=en#files');
    const choose = page.locator('komabako-files-tab input[type=file]');
    await choose.setInputFiles(SAMPLE);
    await page.locator('.record').waitFor();
    await page.getByRole('button', { name: 'Statistics' }).click();
    await page.locator('.stats').waitFor();
    const content = await readFile(SAMPLE);
    await drop(page, 'other.psv', content.subarray(0, 4000));
    await page.getByText('100 records', { exact: false }).first().waitFor();
    assert.equal(await page.locator('.stats').count(), 0);
    await page.getByRole('button', { name: 'Statistics' }).click();
    await page.locator('.verdict').getByText('100 records').waitFor();
  });

  test('new_file_ends_the_statistics_of_the_old_one', async () => {
    const content = await readFile(SAMPLE);
    const large = join(tmpdir(), `komabako-subject-${process.pid}.psv`);
    await writeFile(large, content);
    await truncate(large, 1 << 30);
    try {
      const { page } = await site.open('?lang=en#files');
      const choose = page.locator('komabako-files-tab input[type=file]');
      await choose.setInputFiles(large);
      await page.locator('.record').waitFor();
      await page.getByRole('button', { name: 'Statistics' }).click();
      await page.locator('progress').waitFor();
      await choose.setInputFiles({ name: 'small.psv', mimeType: '', buffer: content.subarray(0, 4000) });
      await page.getByRole('heading', { name: 'small.psv' }).waitFor();
      assert.equal(await page.locator('progress').count(), 0);
      await page.getByRole('button', { name: 'Statistics' }).click();
      await page.locator('.verdict').getByText('100 records').waitFor();
    } finally {
      await rm(large);
    }
  });

  test('counts_and_lists_belong_to_their_positions', async () => {
    const { page } = await site.open('?lang=en#moves');
    await page.getByRole('button', { name: /perft/ }).click();
    const status = page.locator('.perft [role=status]');
    await status.getByText('25,470 positions').waitFor();
    await page.getByRole('gridcell', { name: '7g Black pawn' }).click();
    await page.getByRole('gridcell', { name: '7f empty' }).click();
    await status.getByText('25,470').waitFor({ state: 'detached' });
    assert.equal((await status.textContent())?.trim(), '');
    await paste(page, `${ONE}\n${FIVE}`);
    await page.getByRole('button', { name: 'Solve all as mate problems' }).click();
    await page.locator('.problems li').nth(1).waitFor();
    await paste(page, `${FIVE}\n${ONE}`);
    await page.locator('.problems li').first().waitFor({ state: 'detached' });
    // A list that is being solved is abandoned with its positions.
    await page.getByRole('button', { name: 'Solve all as mate problems' }).click();
    await paste(page, `${ONE}\n${ONE}\n${FIVE}`);
    await page.getByText('3 in this list').waitFor();
    await page.waitForTimeout(500);
    assert.equal(await page.locator('.problems li').count(), 0);
    assert.ok(await page.getByRole('button', { name: 'Solve all as mate problems' }).isEnabled());
  });
});
