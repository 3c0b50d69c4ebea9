import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { GAME, Site, paste, withoutModule } from './harness.js';

/** A comment that no link can hold. */
const LONG = Array.from({ length: 6000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * at * 7919 + at * 104_729) % 5000))).join('');
const LONG_GAME = GAME.replace('*the comment of the start', `*the comment of the start${LONG}`);
const TWO = '手数----指手---------消費時間--\n   1 ７六歩(77)\n\n\n手数----指手---------消費時間--\n   1 ２六歩(27)\n';

/** What was done is written after a pause. */
const isWritten = (page: Page) => page.waitForTimeout(900);
const showsStart = (page: Page) => page.locator('.comments').getByText('the comment of the start').first().waitFor();
const first = (page: Page) => page.getByRole('button', { name: 'First', exact: true }).click();
const isReady = (page: Page) => page.locator('komabako-page[data-module=ready]').waitFor();

describe('what visits leave', { skip: withoutModule }, () => {
  let site: Site;
  before(async () => {
    site = await Site.start();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  const open = async () => {
    const { page } = await site.open('?lang=en');
    await paste(page, LONG_GAME);
    await isWritten(page);
    return page;
  };

  test('step_just_after_a_reload_destroys_nothing', async () => {
    const page = await open();
    await page.addInitScript(() => {
      const press = () => {
        if (!document.querySelector('komabako-board')?.shadowRoot?.querySelector('[data-square]')) return requestAnimationFrame(press);
        return document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '[', bubbles: true }));
      };
      requestAnimationFrame(press);
    });
    for (let reload = 0; reload < 2; reload += 1) {
      await page.reload();
      await isReady(page);
      await isWritten(page);
    }
    await page.getByRole('button', { name: 'Last', exact: true }).click();
    await first(page);
    await showsStart(page);
  });

  test('change_before_the_kept_game_is_found_is_a_step_more', async () => {
    const page = await open();
    await page.addInitScript(() => {
      const find = IDBFactory.prototype.open;
      IDBFactory.prototype.open = function (...request) {
        const opening = find.apply(this, request);
        // The game is found late.
        return new Proxy(opening, {
          get: (target, name) => { const value = Reflect.get(target, name); return typeof value === 'function' ? value.bind(target) : value; },
          set: (target, name, value) => Reflect.set(target, name, name === 'onsuccess' ? (event: Event) => setTimeout(() => value(event), 1500) : value),
        });
      };
    });
    await page.reload();
    await isReady(page);
    await paste(page, 'position startpos moves 2g2f');
    await page.waitForTimeout(2500);
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: 'Last', exact: true }).click();
    await first(page);
    await showsStart(page);
  });

  test('game_is_kept_once_there_is_room_again', async () => {
    const { page } = await site.open('?lang=en');
    await page.evaluate(() => {
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...what) {
        const request = put.apply(this, what);
        this.transaction.abort();
        return request;
      };
      Object.assign(globalThis, { makeRoom: () => { IDBObjectStore.prototype.put = put; } });
    });
    await paste(page, LONG_GAME);
    await isWritten(page);
    await page.evaluate('makeRoom()');
    await page.keyboard.press(']');
    await isWritten(page);
    await page.reload();
    await first(page);
    await showsStart(page);
  });

  test('game_is_kept_beside_an_open_page_of_another_version', async () => {
    const { page } = await site.open('?lang=en', {}, async (one) => {
      await one.goto(`${site.url}icon.svg`);
      const other = await one.context().newPage();
      await other.goto(`${site.url}icon.svg`);
      await other.evaluate(() => new Promise<void>((resolve) => {
        const request = indexedDB.open('komabako', 9);
        request.onsuccess = () => resolve();
      }));
    });
    await paste(page, LONG_GAME);
    await isWritten(page);
    await page.reload();
    await showsStart(page);
  });

  test('text_that_is_dropped_on_the_page_is_opened', async () => {
    const { page } = await site.open('?lang=en');
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text', 'position startpos moves 2g2f');
      document.querySelector('komabako-board')!.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true, composed: true }));
    });
    await page.getByRole('button', { name: 'Last', exact: true }).click();
    await page.getByRole('gridcell', { name: '2f Black pawn' }).waitFor();
  });

  test('way_back_from_another_link_finds_the_game', async () => {
    const page = await open();
    await page.goto(`${site.url}?lang=en&sfen=8k/9/7G1/9/9/9/9/9/9_b_2G_1`);
    await isReady(page);
    await page.locator('[data-square="17"]').focus();
    await page.keyboard.press('g');
    await isWritten(page);
    await page.goBack();
    await showsStart(page);
  });

  test('list_of_an_open_tab_is_kept_however_many_others_are_open', async () => {
    const { page } = await site.open('?lang=en');
    await paste(page, TWO);
    await isWritten(page);
    for (let other = 0; other < 5; other += 1) {
      const tab = await page.context().newPage();
      await tab.goto(`${site.url}?lang=en`);
      await isReady(tab);
      await paste(tab, TWO);
      await isWritten(tab);
    }
    await page.reload();
    await page.getByText('2 in this list').waitFor();
    assert.equal(await page.locator('.collection li').count() >= 2, true);
  });
});
