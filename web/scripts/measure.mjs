// Measures the built page like Lighthouse for phones: npm run measure. The CPU is four times slower and the network has
// 1.6 Mbit/s with 150 ms round trip, both simulated by Chromium; files are compressed with brotli. Times in milliseconds
// from the start of the navigation: the median of five loads, each in a fresh profile. A second table has the slow CPU
// but no network delay.
import { cpus } from 'node:os';
import { Site } from '../build/test/page/harness.js';

const LOADS = 5;
const SLOWER = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };

/** Collects the browser's own performance entries, from before the first byte. */
function observe() {
  window.noted = { tasks: [], largest: 0, shifts: 0 };
  const watch = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch('longtask', ({ startTime, duration }) => window.noted.tasks.push([startTime, duration]));
  watch('largest-contentful-paint', ({ startTime }) => (window.noted.largest = startTime));
  watch('layout-shift', ({ value }) => (window.noted.shifts += value));
}

/** Runs in the page. "Interactive" is after the first paint and the last task that blocked the page for 50 ms or more. */
function figures() {
  const at = (name) => performance.getEntriesByName(name)[0]?.startTime ?? NaN;
  const { tasks, largest, shifts } = window.noted;
  const paint = at('first-contentful-paint');
  const busy = tasks.filter(([start]) => start >= paint);
  return {
    'first contentful paint': paint,
    'largest contentful paint': largest,
    'board drawn': at('komabako-board'),
    'time to interactive': Math.max(paint, at('komabako-board'), ...busy.map(([start, duration]) => start + duration)),
    'total blocking time': busy.reduce((sum, [, duration]) => sum + duration - 50, 0),
    'rules ready': at('komabako-module'),
    'layout shift, thousandths': shifts * 1000,
  };
}

async function load(site, network) {
  const { page } = await site.open('?lang=en', {}, async (fresh) => {
    const session = await fresh.context().newCDPSession(fresh);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    if (network) await session.send('Network.emulateNetworkConditions', network);
    await fresh.addInitScript(observe);
  });
  await page.waitForTimeout(1000);
  return page.evaluate(figures);
}

const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
const site = await Site.start({ compress: true });
await load(site, null);
for (const [title, network] of [['slow network', NETWORK], ['no network', null]]) {
  const loads = [];
  for (let count = 0; count < LOADS; count += 1) {
    loads.push(await load(site, network));
    await site.closePages();
  }
  console.log(`${title}, CPU ${SLOWER} times slower (${cpus()[0].model.trim()}):`);
  for (const name of Object.keys(loads[0])) console.log(`  ${name}: ${Math.round(median(loads.map((one) => one[name])))}`);
}
await site.stop();
