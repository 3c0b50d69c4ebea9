import { after, afterEach, before, describe, test } from 'node:test';
import { Site, withoutDownloads, withoutModule } from './harness.js';

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
});
