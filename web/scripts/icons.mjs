// Draws public/icon.svg as PNG files: npm run icons. Run once; the results are committed.
import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';

const directory = new URL('../public/', import.meta.url);
const icon = await readFile(new URL('icon.svg', directory), 'utf8');
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const size of [192, 512]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<body style="margin:0"><img width="${size}" height="${size}" src="data:image/svg+xml;base64,${Buffer.from(icon).toString('base64')}"></body>`);
  await writeFile(new URL(`icon-${size}.png`, directory), await page.screenshot({ omitBackground: true }));
}
await browser.close();
