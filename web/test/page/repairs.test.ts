/** Results, lists, readers and files at their limits: nothing is lost, answered for another position, or left unsaid. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { zipOf } from '../archive.js';
import { SAMPLE, Site, drop, paste, showsSfen, withoutModule } from './harness.js';

const ONE = '4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1';
const TWO = '4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1';
const NO_KING = '9/9/9/9/9/9/9/9/4K4 b 2G 1';
const problem = (sfen: string) => `?sfen=${sfen.replaceAll(' ', '_')}&lang=en#tsume`;
const solveAll = (page: Page) => page.getByRole('button', { name: 'Solve all as mate problems' });
const hasMoves = (moves: string) => (url: URL) => url.search.includes(moves);

describe('nothing is lost or left unsaid', { skip: withoutModule }, () => {
  let site: Site;
  before(async () => {
    site = await Site.start();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  test('next_record_after_an_undo_keeps_the_game', async () => {
    const { page } = await site.open('?lang=en&moves=7g7f,3c3d,2g2f');
    await drop(page, 'a.psv', (await readFile(SAMPLE)).subarray(0, 80));
    await page.locator('.record').waitFor();
    await page.keyboard.press('Control+z');
    await page.waitForURL(hasMoves('2g2f'));
    await page.getByRole('button', { name: 'Next record' }).click();
    await page.waitForURL((url) => !url.search.includes('2g2f'));
    await page.keyboard.press('Control+z');
    await page.waitForURL(hasMoves('2g2f'));
  });

  test('record_without_a_position_leaves_none_to_copy', async () => {
    const records = Buffer.from((await readFile(SAMPLE)).subarray(0, 80)).fill(255, 40, 72);
    const { page } = await site.open('?lang=en#files');
    await drop(page, 'bad.psv', records);
    await page.locator('.record').waitFor();
    await page.getByRole('button', { name: 'Next record' }).click();
    await page.locator('.no-board').waitFor();
    await showsSfen(page, '9/9/9/9/9/9/9/9/9 b - 1');
  });

  test('reader_does_not_play_in_another_game', async () => {
    const { page } = await site.open(problem(TWO));
    await page.getByText('mates in 1').waitFor();
    await page.getByRole('tab', { name: 'Game' }).click();
    await paste(page, 'position sfen 4k4/9/9/9/9/9/9/4G4/R3K4 b RBGSNLP 1 moves 9i9a+ 5a6b 5h5g');
    await page.locator('.moves').getByText('9i-9a').waitFor();
    await page.keyboard.press(']');
    await page.getByText('1 / 3').waitFor();
    await page.waitForTimeout(500);
    assert.equal(await page.locator('.moves .move').count(), 4);
    await page.getByRole('tab', { name: 'Mate' }).click();
    assert.equal(await page.locator('.reader').count(), 0);
  });

  test('list_solves_its_positions_beside_a_reader_and_names_faults', async () => {
    const { page } = await site.open('?lang=en');
    await paste(page, `${ONE}\n${NO_KING}\n${TWO}`);
    await page.getByRole('tab', { name: 'Mate' }).click();
    await page.getByRole('button', { name: 'Solve it yourself' }).click();
    await page.getByText('mates in 1').waitFor();
    await page.getByRole('tab', { name: 'Game' }).click();
    await solveAll(page).press('Enter');
    const rows = page.locator('.problems li');
    await rows.nth(2).getByText('Mate in 1').waitFor();
    assert.match((await rows.nth(1).textContent())!, /king/);
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'BUTTON', 'the focus is not lost');
    // The results stay while another tab is looked at, and the reader's problem is still the one that it was.
    await page.getByRole('tab', { name: 'Mate' }).click();
    await page.getByText('mates in 1').waitFor();
    await page.getByRole('tab', { name: 'Game' }).click();
    assert.equal(await rows.count(), 3);
  });

  test('list_solves_positions_as_they_stand', async () => {
    const { page } = await site.open('?lang=en');
    await paste(page, `${ONE}\n${TWO}`);
    await page.getByText('2 in this list').waitFor();
    await page.getByLabel('Set up', { exact: true }).check();
    await page.locator('komabako-setup-tools').getByRole('button', { name: 'Clear' }).click();
    await solveAll(page).click();
    await page.locator('.problems li').nth(1).waitFor();
    assert.doesNotMatch((await page.locator('.problems li').first().textContent())!, /Mate in/);
  });

  test('back_to_the_line_leaves_the_list_as_it_is', async () => {
    const { page } = await site.open('?lang=en');
    const none = '9/9/9/4k4/9/9/9/9/9 b P 1';
    await paste(page, `${none}\n${ONE}`);
    await page.getByRole('tab', { name: 'Mate' }).click();
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByRole('heading', { name: 'No mate' }).waitFor();
    await page.getByRole('tab', { name: 'Game' }).click();
    const items = page.locator('.collection > ol button');
    await items.nth(1).click();
    await page.getByRole('tab', { name: 'Mate' }).click();
    await page.getByRole('button', { name: 'Back to the line' }).click();
    await page.getByRole('tab', { name: 'Game' }).click();
    await items.nth(0).click();
    await items.nth(1).click();
    await showsSfen(page, ONE);
  });

  test('texts_of_an_archive_are_listed_after_its_games', async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'a.zip', zipOf({ 'a.txt': Buffer.from('no game'), 'b.usi': Buffer.from('position startpos moves 7g7f') }));
    await page.locator('.moves').getByText('P7g-7f').waitFor();
    assert.match((await page.locator('.collection > ol').textContent())!, /b\.usi.*a\.txt/s);
  });

  test('file_that_cannot_be_read_says_so', async () => {
    const { page, consoleMessages } = await site.open('?lang=en', {}, (fresh) => fresh.addInitScript(() => {
      Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'));
    }));
    await drop(page, 'game.kif', Buffer.from('x'));
    await page.getByText('the file cannot be read').waitFor();
    await drop(page, 'folder', Buffer.from('x'));
    await page.locator('komabako-files-tab').getByText('the file cannot be read').waitFor();
    assert.deepEqual(consoleMessages, []);
  });

  test('stopped_module_is_replaced', async () => {
    const { page } = await site.open('?lang=en');
    await page.evaluate(() => {
      const { module } = document.querySelector<HTMLElement & { session: { module: { parseFile: unknown } } }>('komabako-page')!.session;
      module.parseFile = () => {
        throw new WebAssembly.RuntimeError('unreachable');
      };
    });
    await paste(page, '7g7f 3c3d');
    await page.getByText('out of memory').waitFor();
    await paste(page, '7g7f 3c3d');
    await page.locator('.moves').getByText('P3c-3d').waitFor();
  });

  test('worker_that_cannot_be_loaded_ends_the_search', async () => {
    const { page } = await site.open(problem(ONE).replace('tsume', 'solve'), { serviceWorkers: 'block' }, (fresh) => fresh.route(/worker/, (route) => route.abort()));
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.locator('.fault').waitFor();
    assert.equal(await page.locator('.progress').count(), 0);
  });

  test('shortcuts_work_after_a_change_of_mode_and_focus_stays_in_the_row', async () => {
    const { page } = await site.open('?lang=en&moves=7g7f,3c3d&ply=1');
    await page.getByLabel('Set up', { exact: true }).focus();
    await page.keyboard.press('Control+z');
    await page.getByLabel('Play', { exact: true }).focus();
    await page.keyboard.press(']');
    await page.getByText('2 / 2').waitFor();
    await page.getByRole('button', { name: 'First', exact: true }).press('Enter');
    await page.getByText('0 / 2').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), 'Next move');
  });

  test('pasted_files_open_as_a_list_and_small_turns_of_the_wheel_add_up', async () => {
    const { page } = await site.open('?lang=en');
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      for (const move of ['7g7f 3c3d', '2g2f']) clipboardData.items.add(new File([`position startpos moves ${move}`], `${move}.usi`));
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.getByText('2 in this list').waitFor();
    const at = (text: string) => page.locator('.navigation .number').getByText(text, { exact: true }).waitFor();
    await at('0 / 2');
    await page.locator('komabako-board').hover();
    for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, 10);
    await at('1 / 2');
    await page.mouse.wheel(100, 50);
    await page.waitForTimeout(200);
    await at('1 / 2');
  });
});
