import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { parseSquare } from '../../src/model/square.js';
import { Site, paste, withoutDownloads, withoutEmulation, withoutModule } from './harness.js';

const focus = (page: Page, square: string) => page.locator(`[data-square="${parseSquare(square)}"]`).focus();
const live = (page: Page) => page.locator('komabako-board .live').textContent();

describe('what is held, said and asked', { skip: withoutModule }, () => {
  let site: Site;
  before(async () => {
    site = await Site.start();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  test('captures_mates_and_refusals_are_said', async () => {
    const { page } = await site.open('?lang=en&sfen=8k/9/7G1/9/9/9/9/9/9_b_2G_1#moves');
    const heard = (text: string) => page.waitForFunction((wanted) => document.querySelector('komabako-board')!.shadowRoot!.querySelector('.live')!.textContent === wanted, text);
    await focus(page, '5e');
    for (const key of ['2', 'c', 'Enter', '5', 'e', 'Enter']) await page.keyboard.press(key);
    await heard('Not a legal move');
    await page.keyboard.press('r');
    await heard('Not a legal move\u00a0');
    await focus(page, '1b');
    await page.keyboard.press('g');
    await heard('Black gold dropped on 1b. Checkmate.');
    await paste(page, 'position startpos moves 7g7f 3c3d 8h2b+');
    await page.getByRole('button', { name: 'Last', exact: true }).click();
    for (const key of ['[', ']']) await page.keyboard.press(key);
    await heard('Black bishop to 2b, takes the bishop, promotes');
    await page.getByLabel('Set up', { exact: true }).check();
    await focus(page, '5e');
    await page.keyboard.press('k');
    await page.getByRole('note').getByText('This side has a king.').waitFor();
    assert.equal(await page.getByRole('alert').count(), 0, 'the board says it');
    const first = await live(page);
    await page.keyboard.press('k');
    await page.waitForFunction((said) => document.querySelector('komabako-board')!.shadowRoot!.querySelector('.live')!.textContent !== said, first);
  });

  test('worker_that_cannot_be_started_is_reported', async () => {
    const { page } = await site.open('?lang=en&sfen=8k/9/7G1/9/9/9/9/9/9_b_2G_1#solve', {}, (one) => one.addInitScript(() => {
      Object.assign(globalThis, { Worker: class { constructor() { throw new Error('no workers here'); } } });
    }));
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByRole('alert').getByText('no workers here').waitFor();
  });

  test('picture_that_cannot_be_drawn_is_reported', { skip: withoutDownloads }, async () => {
    const { page } = await site.open('?lang=en');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    const save = page.getByRole('button', { name: 'Save PNG' }).first();
    await save.click();
    await page.getByText('Saved: board.png.').waitFor();
    await page.evaluate(() => {
      HTMLImageElement.prototype.decode = () => Promise.reject(new Error('no pictures here'));
    });
    await save.click();
    await page.getByText('no pictures here').waitFor();
  });

  test('bits_scroll_past_the_board_in_a_low_window_and_text_grows', async () => {
    const { page } = await site.open('?lang=en#bits', { viewport: { width: 320, height: 256 } });
    const styleOf = (selector: string, name: string) => page.locator(selector).evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);
    assert.equal(await styleOf('.board-side', 'position'), 'static');
    await page.setViewportSize({ width: 320, height: 568 });
    assert.equal(await styleOf('.board-side', 'position'), 'sticky');
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
    assert.equal(await styleOf('body', 'font-size'), '30px');
  });

  test('paper_is_white_in_the_dark_theme', { skip: withoutEmulation }, async () => {
    const { page } = await site.open('?lang=en', { colorScheme: 'dark' });
    await page.getByText('Display', { exact: true }).click();
    await page.getByLabel('Theme').selectOption('dark');
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await paper(), 'rgb(29, 25, 21)');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await paper(), 'rgb(255, 255, 255)');
  });
});
