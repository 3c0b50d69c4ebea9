// Measures what page-visitors wait for, and writes it to benches/record: npm run record [-- --no-record] [loads] [steps] [mate].
// Needs a built page and an idle machine; for `mate` also the program, `cargo build --release -p komabako`, or KOMABAKO.
//
// Sizes: bytes, compressed with brotli. Loads: like Lighthouse for phones, first visits with a processor that is four times slower
// and files compressed with brotli, with a network of 1.6 Mbit/s and 150 ms and without one, both simulated by Chromium;
// milliseconds from the start of the navigation. Steps: in a game of 300 moves with comments, times and variations, script and
// layout, on each tab; milliseconds, medians of 100, and the processor time of the page's thread for a step, painting included,
// which a busy machine hardly changes. Mate: seconds for a mate in 29 plies, by the page and the program in turn, with
// a table of 64 MiB each and within a hundredth the same nodes.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { Site, WEB, fromClickToHeading } from '../build/test/page/harness.js';

const ROUNDS = 5;
const SLOWER = 4;
const NETWORK = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };
/** Number 19 of Muso (1734). */
const PROBLEM = '3gS2n1/1pk1Pp3/4p1Lp1/1Gpp3l1/4n4/3N5/+p1B2r3/2R2N3/9 b BGg3s2l10p 1';
const LENGTH = 29;
/** The limits of page-second: what, where, and how much. */
const LIMITS = {
  'html, js and css': 75_000,
  wasm: 380_000,
  'first contentful paint, slow network': 1200,
  'interactive, slow network': 2000,
  'step, board': 16,
  'step, bits': 16,
  'mate in 29, ratio': 1.3,
};

const rows = [];
function note(what, rounds) {
  const median = [...rounds].sort((one, other) => one - other)[Math.floor(rounds.length / 2)];
  const limit = LIMITS[what] ?? '';
  rows.push([JSON.stringify(what), limit, median, rounds.join(' ')].join());
  console.log(`${what}: ${median}${limit === '' ? '' : `, at most ${limit}${median > limit ? ': TOO MUCH' : ''}`} (${rounds.join(' ')})`);
}

function sizes() {
  const kinds = { 'html, js and css': /\.(html|js|css)$/, wasm: /\.wasm$/ };
  const files = readdirSync(join(WEB, 'dist'), { recursive: true });
  for (const [kind, names] of Object.entries(kinds)) {
    const bytes = files.filter((name) => names.test(name)).map((name) => brotliCompressSync(readFileSync(join(WEB, 'dist', name))).length);
    note(kind, [bytes.reduce((sum, size) => sum + size, 0)]);
  }
}

/** Collects the browser's own performance entries, from before the first byte. */
function observe() {
  window.noted = { tasks: [], largest: 0, shifts: 0 };
  const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('longtask', ({ startTime, duration }) => window.noted.tasks.push([startTime, duration]));
  watch('largest-contentful-paint', ({ startTime }) => {
    window.noted.largest = startTime;
  });
  watch('layout-shift', ({ value }) => {
    window.noted.shifts += value;
  });
}

/** Runs in the page. "Interactive" is after the first paint and the last task that blocked the page for 50 ms or more. */
function figures() {
  const at = (name) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN;
  const { tasks, largest, shifts } = window.noted;
  const paint = at('first-contentful-paint');
  const busy = tasks.filter(([start]) => start >= paint);
  return {
    'first contentful paint': paint,
    'largest contentful paint': largest,
    'board drawn': at('komabako-board'),
    interactive: Math.max(paint, at('komabako-board'), ...busy.map(([start, duration]) => start + duration)),
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
  const found = await page.evaluate(figures);
  await site.closePages();
  return found;
}

async function loads() {
  const site = await Site.start({ compress: true });
  await load(site, null);
  for (const [where, network] of [
    ['slow network', NETWORK],
    ['no network', null],
  ]) {
    const found = [];
    for (let round = 0; round < ROUNDS; round += 1) found.push(await load(site, network));
    for (const what of Object.keys(found[0])) {
      note(
        `${what}, ${where}`,
        found.map((one) => Math.round(one[what])),
      );
    }
  }
  await site.stop();
}

const MOVES = 300;
/** The steps of a round; the first 20 are not counted as times. */
const STEPS = 120;
const CYCLE = ['2h3h', '8b7b', '3h2h', '7b8b'];
const FROM = { '2h3h': '３八飛(28)', '8b7b': '７二飛(82)', '3h2h': '２八飛(38)', '7b8b': '８二飛(72)' };

function game() {
  const lines = ['先手：Sato', '後手：Suzuki', '手数----指手---------消費時間--'];
  for (let ply = 1; ply <= MOVES; ply += 1) {
    lines.push(`${String(ply).padStart(4)} ${FROM[CYCLE[(ply - 1) % 4]]}   ( 0:${String(ply % 60).padStart(2, '0')}/00:00:00)`);
    if (ply % 7 === 0) lines.push(`*comment ${ply}`);
  }
  for (let ply = 297; ply > 0; ply -= 12) lines.push('', `変化：${ply}手`, `${String(ply).padStart(4)} ７六歩(77)   ( 0:01/00:00:00)`);
  return lines.join('\n');
}

/** Runs in the page. */
async function walk(steps) {
  const page = document.querySelector('komabako-page');
  const took = [];
  for (let count = 0; count < steps; count += 1) {
    const began = performance.now();
    page.session.step(count % 100 < 50 ? -1 : 1);
    await page.updateComplete;
    await page.board.updateComplete;
    for (const tab of page.querySelectorAll('[role=tabpanel] > *')) await tab.updateComplete;
    document.body.getBoundingClientRect();
    if (count >= 20) took.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve));
  }
  took.sort((one, other) => one - other);
  return { median: took[50], late: took[95] };
}

async function steps() {
  const site = await Site.start();
  for (const tab of ['board', 'moves', 'bits', 'solve', 'files']) {
    const { page } = await site.open(`?lang=ja#${tab}`);
    await page.evaluate((text) => document.querySelector('komabako-page').session.open(new File([text], 'game.kif')), game());
    await page.evaluate((shown) => document.querySelector('komabako-page').session.setTab(shown), tab);
    await page.waitForTimeout(500);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const seconds = async () => (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value;
    const found = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await seconds();
      const times = await page.evaluate(walk, STEPS);
      found.push({ ...times, processor: (1000 * ((await seconds()) - before)) / STEPS });
    }
    const rounded = (name) => found.map((one) => Number(one[name].toFixed(1)));
    note(`step, ${tab}`, rounded('median'));
    note(`step, ${tab}, 95th percentile`, rounded('late'));
    note(`step, ${tab}, processor`, rounded('processor'));
    await site.closePages();
  }
  await site.stop();
}

async function mate() {
  const program = process.env.KOMABAKO ?? join(WEB, '../target/release/komabako');
  if (!existsSync(program)) throw new Error(`no ${program}: cargo build --release -p komabako`);
  const site = await Site.start();
  const byPage = [];
  const byProgram = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { page } = await site.open(`?sfen=${encodeURIComponent(PROBLEM)}&lang=en#solve`);
    await page.locator('komabako-page[data-workers=ready]').waitFor();
    await page.getByText('Options').click();
    await page.getByLabel('Stop after').selectOption({ label: 'never' });
    await page.getByLabel('Memory').selectOption({ label: '64 MiB' });
    page.setDefaultTimeout(0);
    byPage.push(Number(((await fromClickToHeading(page, 'Solve', `Mate in ${LENGTH}`)) / 1000).toFixed(3)));
    const nodes = Number(/([\d,]+) positions/.exec(await page.locator('komabako-solve-tab').innerText())[1].replaceAll(',', ''));
    await site.closePages();
    const report = JSON.parse(execFileSync(program, ['solve', '--json', '--memory', '64M', PROBLEM], { encoding: 'utf8' }));
    byProgram.push(Number(report.seconds.toFixed(3)));
    // Not quite equal: the page pauses the search, and its table still has positions of the problem that warms it up.
    if (Math.abs(report.problems[0].nodes / nodes - 1) > 0.01) throw new Error(`${nodes} nodes in the page, ${report.problems[0].nodes} in the program`);
  }
  await site.stop();
  note('mate in 29, page', byPage);
  note('mate in 29, program', byProgram);
  note(
    'mate in 29, ratio',
    byPage.map((seconds, round) => Number((seconds / byProgram[round]).toFixed(2))),
  );
}

/** The date, the commit and the machine, in the form of the other records. */
function machine() {
  const run = (program, ...options) => execFileSync(program, options, { cwd: WEB, encoding: 'utf8' }).trim();
  const commit = run('git', 'describe', '--always', '--dirty', '--exclude', '*');
  const date = new Date().toISOString().slice(0, 10);
  const browser = run(process.env.CHROMIUM ?? '/usr/bin/chromium', '--version');
  const about = { date, commit, cores: cpus().length, 'model name': cpus()[0].model.trim(), browser, node: process.version };
  return {
    name: `${date}-${commit}-web`,
    text: `${Object.entries(about)
      .map(([key, value]) => `${key}: ${value}\n`)
      .join('')}`,
  };
}

const PARTS = { loads, steps, mate };
const asked = process.argv.slice(2).filter((word) => word in PARTS);
sizes();
for (const [part, measure] of Object.entries(PARTS)) if (asked.length === 0 || asked.includes(part)) await measure();
if (!process.argv.includes('--no-record')) {
  const folder = join(WEB, '../benches/record', `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu`);
  mkdirSync(folder, { recursive: true });
  const { name, text } = machine();
  writeFileSync(join(folder, `${name}.csv`), `what,limit,median,rounds\n${rows.join('\n')}\n`);
  writeFileSync(join(folder, `${name}.txt`), text);
  console.log(`written: ${join(folder, name)}.csv`);
}
