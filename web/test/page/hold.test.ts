import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { Site, withoutDownloads, withoutEmulation, withoutModule } from './harness.js';

describe('what is held, said and asked', { skip: withoutModule }, () => {
  let site: Site;
  before(async () => {
    site = await Site.start();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

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
