// Measures the built page as Lighthouse would, on a CPU slowed down four times: npm run measure. Times in milliseconds from
// the start of the navigation, the median of five loads, each in a fresh profile.
import { Site } from '../build/test/page/harness.js';

const LOADS = 5;
const SLOWER = 4;

async function load(site) {
  const { page } = await site.open('?lang=en', {}, async (fresh) => {
    const session = await fresh.context().newCDPSession(fresh);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  });
  return page.evaluate(() => {
    const at = (name) => performance.getEntriesByName(name)[0]?.startTime ?? NaN;
    return { 'first paint': at('first-contentful-paint'), 'board drawn': at('komabako-board'), 'rules ready': at('komabako-module') };
  });
}

const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
const site = await Site.start();
const loads = [];
for (let count = 0; count < LOADS; count += 1) {
  loads.push(await load(site));
  await site.closePages();
}
for (const name of Object.keys(loads[0])) console.log(`${name}: ${Math.round(median(loads.map((one) => one[name])))} ms (CPU ${SLOWER} times slower)`);
await site.stop();
