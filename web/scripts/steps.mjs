// Measures a step in a game of 300 moves with comments, times and variations, on each tab: npm run steps. Milliseconds of
// script and layout, the median and the 95th percentile of 200 steps; and the processor time of the page's thread for a step,
// painting included, which a busy machine hardly changes.
import { cpus } from 'node:os';
import { Site } from '../build/test/page/harness.js';

const MOVES = 300;
/** The steps of a tab; the first ones are not counted as times. */
const COUNT = 220;
const WARM_UP = 20;
const ROUND = ['2h3h', '8b7b', '3h2h', '7b8b'];
const FROM = { '2h3h': '３八飛(28)', '8b7b': '７二飛(82)', '3h2h': '２八飛(38)', '7b8b': '８二飛(72)' };

function record() {
  const lines = ['先手：Sato', '後手：Suzuki', '手数----指手---------消費時間--'];
  for (let ply = 1; ply <= MOVES; ply += 1) {
    lines.push(`${String(ply).padStart(4)} ${FROM[ROUND[(ply - 1) % 4]]}   ( 0:${String(ply % 60).padStart(2, '0')}/00:00:00)`);
    if (ply % 7 === 0) lines.push(`*comment ${ply}`);
  }
  for (let ply = 297; ply > 0; ply -= 12) lines.push('', `変化：${ply}手`, `${String(ply).padStart(4)} ７六歩(77)   ( 0:01/00:00:00)`);
  return lines.join('\n');
}

/** Runs in the page. */
async function steps([COUNT, WARM_UP]) {
  const page = document.querySelector('komabako-page');
  const took = [];
  for (let count = 0; count < COUNT; count += 1) {
    const began = performance.now();
    page.session.step(count % 100 < 50 ? -1 : 1);
    await page.updateComplete;
    await page.board.updateComplete;
    for (const tab of page.querySelectorAll('[role=tabpanel] > *')) await tab.updateComplete;
    document.body.getBoundingClientRect();
    if (count >= WARM_UP) took.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve));
  }
  return took.sort((one, other) => one - other);
}

const site = await Site.start();
for (const tab of ['board', 'moves', 'bits', 'solve', 'files']) {
  const { page } = await site.open(`?lang=ja#${tab}`);
  await page.evaluate((text) => document.querySelector('komabako-page').session.open(new File([text], 'game.kif')), record());
  await page.evaluate((shown) => document.querySelector('komabako-page').session.setTab(shown), tab);
  await page.waitForTimeout(500);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const used = async () => (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
  const before = await used();
  const took = await page.evaluate(steps, [COUNT, WARM_UP]);
  const processor = (1000 * ((await used()) - before)) / COUNT;
  console.log(`${tab}: ${took[Math.floor(took.length / 2)].toFixed(1)} ms, 95 %: ${took[Math.floor(took.length * 0.95)].toFixed(1)} ms, processor: ${processor.toFixed(1)} ms (${cpus()[0].model.trim()})`);
  await site.closePages();
}
await site.stop();
