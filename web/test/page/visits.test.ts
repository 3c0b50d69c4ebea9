/** Several tabs, versions and copies of the page, its address, and what is opened while something else is read. */

import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { zipOf } from '../archive.js';
import { GAME, WEB, Site, drop, paste, withoutModule } from './harness.js';

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
