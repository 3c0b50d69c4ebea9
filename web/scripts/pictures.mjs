// Makes the pictures of docs/page: npm run pictures. One sheet per language, theme and width, with every tab, for review.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GAME as RECORD, Site, WEB } from '../build/test/page/harness.js';

const OUT = join(WEB, '../docs/page');
const GAME = 'moves=7g7f,3c3d,2g2f,8c8d,2f2e,8d8e,6i7h,4a3b,2e2d,2c2d,2h2d,8e8f,8g8f,8b8f,2d3d';
const MATE = 'sfen=1%2Bn7/9/1k7/s8/3pB4/9/9/9/9_b_RGSrb3g2s3n4l17p_1';
const VIEWS = [
  { tab: 'board', query: '' },
  { tab: 'board', query: GAME },
  // A game with variations, scores and comments, in its innermost variation.
  { tab: 'board', query: '', act: async (page) => {
    await page.evaluate((text) => document.querySelector('komabako-page').session.open(new File([text], 'game.kif')), RECORD);
    await page.locator('.variation .variation button').first().click();
    await page.locator('.edit summary').click();
  } },
  { tab: 'board', query: GAME, act: async (page) => {
    await page.locator('.toolbar button').last().click();
  } },
  { tab: 'board', query: GAME, act: async (page) => {
    await page.locator('input[name=mode]').nth(1).check({ force: true });
  } },
  { tab: 'moves', query: GAME, act: (page) => page.locator('komabako-moves-tab button.main').click() },
  { tab: 'bits', query: GAME, act: (page) => page.locator('[data-square="33"] .cell').hover({ force: true }) },
  { tab: 'solve', query: MATE, act: async (page) => {
    await page.locator('komabako-solve-tab button.main').click();
    await page.locator('.verdict').waitFor();
    await page.locator('.line button').first().click().catch(() => undefined);
  } },
  { tab: 'files', query: GAME, act: async (page) => {
    await page.locator('komabako-files-tab input[type=file]').setInputFiles(join(WEB, '../data/sample.psv'));
    await page.locator('.record').waitFor();
    await page.locator('komabako-files-tab input[type=number]').first().fill('1234');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^(Statistics|統計)/ }).click();
    await page.locator('komabako-files-tab .stats').waitFor();
  } },
];
/** The widths of windows, and how each sheet shows them. */
const SIZES = {
  360: { height: 760, scale: 0.62, columns: 7 },
  768: { height: 1024, scale: 0.4, columns: 4 },
  1280: { height: 800, scale: 0.45, columns: 3 },
  1920: { height: 1080, scale: 0.32, columns: 3 },
};

/** Arranges pictures side by side on one sheet, in the browser that took them. */
async function sheet(site, pictures, columns, width) {
  const { page } = await site.open('');
  await page.setViewportSize({ width: columns * (width + 8) + 8, height: 100 });
  await page.setContent(`<body style="margin:8px;background:#888;display:grid;grid-template-columns:repeat(${columns},${width}px);gap:8px">${
    pictures.map((picture) => `<img width="${width}" src="data:image/png;base64,${picture.toString('base64')}">`).join('')}</body>`);
  return page.screenshot({ fullPage: true });
}

await mkdir(OUT, { recursive: true });
const site = await Site.start();
const only = process.argv[2];
for (const lang of ['en', 'ja']) {
  for (const colorScheme of ['light', 'dark']) {
    for (const [width, { height, scale, columns }] of Object.entries(SIZES)) {
      const name = `${lang}-${colorScheme}-${width}`;
      if (only && !name.includes(only)) continue;
      const pictures = [];
      for (const { tab, query, act } of VIEWS) {
        const { page } = await site.open(`?${query ? `${query}&` : ''}lang=${lang}#${tab}`, { viewport: { width: Number(width), height }, colorScheme, deviceScaleFactor: scale });
        if (act) await act(page);
        if (width === '360' && act) await page.locator('[role=tablist]').evaluate((tabs) => tabs.scrollIntoView());
        await page.waitForTimeout(400);
        pictures.push(await page.screenshot());
        if (name === 'en-light-1280' && tab === 'bits') {
          const { page: large } = await site.open(`?${query}&lang=en#bits`, { viewport: { width: 1280, height: 760 }, deviceScaleFactor: 1 });
          await act(large);
          await large.waitForTimeout(300);
          await writeFile(join(OUT, 'page.png'), await large.screenshot());
        }
      }
      await writeFile(join(OUT, `${name}.png`), await sheet(site, pictures, columns, Math.round(Number(width) * scale)));
      await site.closePages();
      console.log(name);
    }
  }
}
await site.stop();
