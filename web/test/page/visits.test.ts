/** Several tabs, versions and copies of the page, its address, and what is opened while something else is read. */

import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { zipOf } from '../archive.js';
import { GAME, SAMPLE, WEB, Site, drop, paste, showsSfen, withoutModule } from './harness.js';

const tree = (page: Page) => page.locator('.moves');
const isReady = (page: Page) => page.locator('komabako-page[data-workers=ready]').waitFor();

describe('visits', { skip: withoutModule }, () => {
  let site: Site;
  let folder: string;
  before(async () => {
    // Two copies of the page on one host.
    folder = await mkdtemp(join(tmpdir(), 'komabako-copies-'));
    for (const copy of ['one', 'two']) await cp(join(WEB, 'dist'), join(folder, copy), { recursive: true });
    site = await Site.start({ folder });
  });
  afterEach(() => site.closePages());
  after(async () => {
    await site.stop();
    await rm(folder, { recursive: true });
  });

  test('new_version_reloads_only_the_tab_that_asks_for_it', async () => {
    const { page } = await site.open('one/?lang=en');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await isReady(page);
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
    const worker = join(folder, 'one/sw.js');
    await writeFile(worker, (await readFile(worker, 'utf8')).replace(/`[\da-f]{12}`|"[\da-f]{12}"|'[\da-f]{12}'/, "'a new version'"));
    const other = await page.context().newPage();
    await other.goto(`${site.url}one/?lang=en`);
    await isReady(other);
    const reload = other.locator('footer button');
    await reload.waitFor();
    await Promise.all([other.waitForEvent('load'), reload.click()]);
    await isReady(other);
    assert.equal(await other.locator('footer button').count(), 0);
    assert.ok(await page.evaluate(() => 'isSame' in globalThis));
    await Promise.all([page.waitForEvent('load'), page.locator('footer button').click()]);
    assert.ok(!(await page.evaluate(() => 'isSame' in globalThis)));
  });

  test('copies_of_the_page_on_one_host_work_offline_both', async () => {
    const { page } = await site.open('one/?lang=en');
    for (const copy of ['two', 'one']) {
      await page.goto(`${site.url}${copy}/?lang=en`);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    }
    const kept = await page.evaluate(() => caches.keys());
    assert.equal(kept.length, 2, kept.join(', '));
    await page.context().setOffline(true);
    for (const copy of ['two', 'one']) {
      await page.goto(`${site.url}${copy}/?lang=en`);
      await page.locator('komabako-page[data-module=ready]').waitFor();
    }
  });

  test('entered_fragment_is_shown', async () => {
    const { page } = await site.open('two/?lang=en');
    await drop(page, 'game.kif', Buffer.from(GAME));
    await page.waitForURL(/game=/);
    const link = page.url();
    const { page: fresh } = await site.open(link.slice(site.url.length).replace(/#.*/, ''));
    await tree(fresh).getByText('P2g-2f').waitFor();
    await fresh.evaluate((address) => location.assign(address), link);
    await fresh.locator('.comments').getByText('the comment of the start').waitFor();
    await fresh.evaluate(() => location.assign('#moves'));
    await fresh.getByRole('tab', { name: 'Moves', selected: true }).waitFor();
  });

  test('files_of_an_archive_that_cannot_be_read_are_named', async () => {
    const { page } = await site.open('two/?lang=en');
    const damaged = zipOf({ 'good.usi': Buffer.from('position startpos moves 7g7f'), 'stored.kif': Buffer.from(GAME), 'odd.kif': Buffer.from(GAME) });
    damaged[damaged.indexOf('Suzuki')] = 0x58;
    damaged[damaged.lastIndexOf('odd.kif') - 46 + 8] = 1;
    await drop(page, 'mixed.zip', damaged);
    await page.getByText('2 files were not read completely: stored.kif (the compressed data is damaged or cut short); odd.kif (encrypted, or').waitFor();
    await tree(page).getByText('P7g-7f').waitFor();
    await drop(page, 'short.zip', damaged.subarray(0, -30));
    await page.getByText('1 file was not read completely: short.zip (').waitFor();
  });

  test('several_files_that_are_dropped_are_a_list', async () => {
    const { page } = await site.open('two/?lang=en');
    const sample = await readFile(SAMPLE);
    await page.evaluate(([game, records]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([game], 'one.kif'));
      dataTransfer.items.add(new File(['position startpos moves 2g2f'], 'two.usi'));
      dataTransfer.items.add(new File([Uint8Array.from(records)], 'few.psv'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, [GAME, [...sample.subarray(0, 400)]] as const);
    const list = page.locator('.collection');
    await list.getByText('3 in this list').waitFor();
    await tree(page).getByText('P7g-7f').waitFor();
    await list.getByRole('button', { name: 'few.psv' }).click();
    await page.getByRole('heading', { name: 'few.psv' }).waitFor();
    await page.waitForTimeout(600);
    await page.reload();
    await page.getByRole('tab', { name: 'Game', exact: true }).click();
    await list.getByRole('button', { name: 'two.usi' }).click();
    await tree(page).getByText('P2g-2f').waitFor();
  });

  test('list_says_that_it_does_not_hold_all', async () => {
    const { page } = await site.open('two/?lang=en');
    const list = page.locator('.collection summary');
    const position = (ply: number) => `9/9/9/9/4k4/9/9/9/4K4 b - ${ply + 1}\n`;
    const text = (count: number) => Array.from({ length: count }, (_, index) => position(index)).join('');
    await paste(page, text(1000));
    await list.getByText('1000 in this list').waitFor();
    await paste(page, text(1001));
    await list.getByText('the first 1000; the others are not in this list').waitFor();
    await drop(page, 'many.csa', Buffer.from(Array<string>(1001).fill('V2.2\nPI\n+\n+7776FU\n').join('/\n')));
    await list.getByText('many.csa: the first 1000; the others').waitFor();
    await drop(page, 'many.zip', zipOf(Object.fromEntries(Array.from({ length: 1100 }, (_, index) => [`${index}.usi`, Buffer.from('startpos')]))));
    await list.getByText('many.zip: the first 1000; the others').waitFor();
  });

  test('edits_of_a_game_of_a_list_are_there_when_the_reader_comes_back', async () => {
    const { page } = await site.open('two/?lang=en');
    const list = page.locator('.collection');
    await drop(page, 'three.zip', zipOf({ 'one.kif': Buffer.from(GAME), 'two.usi': Buffer.from('startpos moves 2g2f'), 'three.usi': Buffer.from('startpos moves 7g7f') }));
    const comment = page.getByLabel('Comment on the start');
    const openEditor = () => page.getByText('Edit names and comment').click();
    const item = (name: RegExp) => list.getByRole('button', { name });
    await openEditor();
    await comment.fill('edited');
    await item(/^two/).click();
    await item(/^one/).click();
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('.comment textarea')?.value === 'edited');
    // Also after a reload; what is opened from elsewhere is not the list's.
    await page.waitForTimeout(600);
    await page.reload();
    await list.getByText('three.zip: 3 in this list').waitFor();
    await item(/^two/).click();
    await paste(page, 'position startpos moves 1g1f');
    await tree(page).getByText('P1g-1f').waitFor();
    await item(/^three/).click();
    await item(/^two/).click();
    await tree(page).getByText('P2g-2f').waitFor();
    assert.equal(await tree(page).getByText('P1g-1f').count(), 0);
    await item(/^one/).click();
    await page.locator('.comments').getByText('edited').waitFor();
    // An edit of an item that is not on the board is there after a reload, too.
    await item(/^three/).click();
    await page.waitForTimeout(600);
    await page.reload();
    await item(/^one/).click();
    await page.locator('.comments').getByText('edited').waitFor();
  });

  test('edits_of_a_position_of_a_list_are_kept', async () => {
    const { page } = await site.open('two/?lang=en');
    const one = '4k4/9/9/9/4G4/9/9/9/4K4 b - 1';
    const moved = '4k4/9/9/4G4/9/9/9/9/4K4 b - 1';
    const other = '4k4/9/9/9/9/9/4S4/9/4K4 b - 1';
    await paste(page, `${one}\n${other}`);
    const item = (sfen: string) => page.locator('.collection').getByRole('button', { name: sfen });
    await item(one).waitFor();
    await page.getByLabel('Set up', { exact: true }).check();
    await page.getByRole('gridcell', { name: /^5e/ }).click();
    await page.getByRole('gridcell', { name: /^5d/ }).click();
    await showsSfen(page, moved);
    await item(other).click();
    await showsSfen(page, other);
    await page.waitForTimeout(600);
    await page.reload();
    await item(one).click();
    await showsSfen(page, moved);
  });

  test('archive_that_is_read_slowly_does_not_replace_what_was_opened_after_it', async () => {
    const { page } = await site.open('two/?lang=en');
    const many = zipOf(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}.kif`, Buffer.from(GAME)])));
    await Promise.all([drop(page, 'many.zip', many), paste(page, 'position startpos moves 2g2f')]);
    await tree(page).getByText('P2g-2f').waitFor();
    await page.waitForTimeout(1500);
    assert.equal(await page.locator('.collection').count(), 0);
    assert.equal(await tree(page).locator('.move').count(), 2);
  });
});
