// Solves two long problems of Shogi Zuko (1755) in the page, in Chromium, and prints the effort: npm run long [98 | 8].
import { cpus } from 'node:os';
import { Site } from '../build/test/page/harness.js';

const PROBLEMS = {
  98: { sfen: '8k/9/9/9/9/9/9/9/9_b_R2GSr2b2g3s4n4l18p_1', memory: '64 MiB' },
  8: { sfen: '4%2Bbn1g1/5kpPl/2l1b1s2/3%2Bl1N1GP/4G1%2BP1N/5L3/9/1%2Br7/R8_b_GP3sn13p_1', memory: '1024 MiB' },
};

const only = process.argv[2];
const site = await Site.start();
for (const [number, { sfen, memory }] of Object.entries(PROBLEMS)) {
  if (only && only !== number) continue;
  const { page } = await site.open(`?sfen=${sfen}&lang=en#solve`);
  await page.getByText('Options').click();
  await page.getByLabel('Stop after').selectOption({ label: 'never' });
  await page.getByLabel('Find').selectOption('any');
  await page.getByLabel('Memory').selectOption({ label: memory });
  await page.getByRole('button', { name: 'Solve' }).click();
  const verdict = page.locator('komabako-solve-tab .verdict');
  await verdict.waitFor({ timeout: 0 });
  console.log(`Zuko ${number}, ${memory}: ${(await verdict.allInnerTexts()).join(' ').replace(/\s+/g, ' ')} (${cpus()[0].model.trim()})`);
  await site.closePages();
}
await site.stop();
