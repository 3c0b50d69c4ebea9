import assert from 'node:assert/strict';
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Project, WEB, unpackable } from '../package.js';
import { Site, violations, withoutBrowser, withoutTouch } from './harness.js';

/** Nothing but scripts of the own origin, wasm, and files of the own origin; no inline style or script, no strings as code. */
const STRICT =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html";
/** For a page with boards only. */
const STRICTER = STRICT.replace(" 'wasm-unsafe-eval'", '');

const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL';
const page = (body: string) => `<!doctype html><html lang="en"><title>A page of someone else</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width"><script type="module" src="komabako/elements.js"></script><main><h1>A game</h1>${body}</main></html>`;

const KIF = `手合割：平手
先手：Sato
後手：Suzuki
手数----指手---------消費時間--
*A comment <b>on</b> the start
   1 ７六歩(77)   ( 0:01/00:00:01)
   2 ３四歩(33)   ( 0:01/00:00:01)
*The usual answer
   3 ２二角成(88)   ( 0:01/00:00:02)
   4 投了
変化：3手
   3 ２六歩(27)   ( 0:01/00:00:02)
`;

const shown = (of: Page) =>
  of
    .locator('komabako-player')
    .first()
    .evaluate((player) => (player.shadowRoot!.querySelector('komabako-board') as unknown as { sfen: string }).sfen.split(' ')[0]);
const AFTER: readonly string[] = [
  START,
  'lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL',
  'lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL',
  'lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL',
];

/** How each bundler builds a project into its folder `dist`. */
const BUNDLERS: Readonly<Record<string, (project: Project) => void>> = {
  vite: (project) => void project.runTool('vite', 'build', '--logLevel', 'warn'),
  webpack: (project) => {
    const config =
      "{ mode: 'production', entry: './main.js', output: { filename: 'main.js', path: process.cwd() + '/dist', publicPath: 'auto' }, devtool: false }";
    const webpack = pathToFileURL(join(WEB, 'node_modules/webpack/lib/index.js')).href;
    project.write({
      'build.mjs': `import webpack from '${webpack}';\nwebpack(${config}, (error, stats) => {\n  if (error || stats.hasErrors()) throw error ?? new Error(stats.toString('errors-only'));\n});\n`,
    });
    project.run('node', 'build.mjs');
    // Webpack's scripts are no modules.
    const html = readFileSync(join(project.folder, 'index.html'), 'utf8');
    project.write({ 'dist/index.html': html.replace('type="module" src="/', 'defer src="') });
  },
};

describe('elements in other pages', { skip: withoutBrowser || unpackable }, () => {
  let project: Project;
  let site: Site;
  before(async () => {
    project = new Project({
      'index.html': page('<komabako-player src="game.kif" lang="en"></komabako-player>'),
      'broken.html': page(
        '<komabako-player src="broken.kif" lang="en"></komabako-player><komabako-player src="none.kif"></komabako-player><komabako-player src="game.kif" lang="en"></komabako-player>',
      ),
      'several.html': page(
        '<komabako-player src="several.kif" lang="en"></komabako-player><komabako-player src="several.kif" game="2" lang="en"></komabako-player><komabako-board sfen="xyz" lang="en"></komabako-board>',
      ),
      'board.html': page('<komabako-board sfen="9/9/9/9/4k4/9/9/9/9 b 2R 1" mode="setup" lang="en"></komabako-board>'),
      'game.kif': KIF,
      'other.csa': 'V2.2\nPI\n+\n+2726FU\n%TORYO\n',
      'broken.kif': KIF.replace('３四歩(33)', '３五歩(33)'),
      'several.kif': `${KIF.replace('３四歩(33)', '３五歩(33)')}\n手合割：平手\n   1 ２六歩(27)\n   2 投了\n`,
    });
    cpSync(join(project.folder, 'node_modules/komabako/dist'), join(project.folder, 'komabako'), { recursive: true });
    site = await Site.start({ folder: project.folder, headers: { 'content-security-policy': STRICT } });
  });
  afterEach(() => site.closePages());
  after(async () => {
    await site.stop();
    project.remove();
  });

  const show = async (query: string, options = {}) => {
    const opened = await site.openBare(query, options);
    const player = opened.page.locator('komabako-player').first();
    await player.locator('section[aria-busy=false]').waitFor();
    return { ...opened, player };
  };

  test('a_game_is_stepped_with_the_keys_under_a_strict_policy', async () => {
    const { page: bare, player, consoleMessages } = await show('');
    assert.equal(await shown(bare), AFTER[0]);
    assert.equal(await player.locator('.comments').textContent(), 'A comment <b>on</b> the start');
    const steps = bare.evaluate(
      () =>
        new Promise((resolve) => {
          const plies: number[] = [];
          document.addEventListener('komabako-step', (event) => {
            plies.push((event as CustomEvent<{ ply: number }>).detail.ply);
            if (plies.length === 5) resolve(plies);
          });
        }),
    );
    await player.getByRole('button', { name: 'Next move' }).focus();
    for (const [key, ply] of [
      ['ArrowRight', 1],
      ['End', 3],
      ['ArrowLeft', 2],
      ['Home', 0],
      ['Enter', 1],
    ] as const) {
      await bare.keyboard.press(key);
      assert.equal(await shown(bare), AFTER[ply], key);
    }
    assert.deepEqual(await steps, [1, 3, 2, 0, 1]);
    assert.deepEqual(consoleMessages, []);
  });

  test('a_game_is_stepped_with_a_finger_and_a_variation_chosen', { skip: withoutTouch }, async () => {
    const { page: bare, player, consoleMessages } = await show('', { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
    const next = player.getByRole('button', { name: 'Next move' });
    await next.tap();
    await next.tap();
    assert.equal(await player.locator('.comments').textContent(), 'The usual answer');
    await player.getByRole('group', { name: 'Variations' }).getByRole('button', { name: 'P2g-2f' }).tap();
    assert.equal(await shown(bare), 'lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL');
    await player.getByRole('button', { name: 'Previous move' }).tap();
    await player.getByRole('group', { name: 'Variations' }).getByRole('button', { name: 'B8hx2b+' }).tap();
    assert.equal(await player.locator('.comments').textContent(), 'resigns');
    await player.getByLabel('Moves of the game').selectOption('1');
    assert.equal(await shown(bare), AFTER[1]);
    const [width, low] = await bare.evaluate(() => [
      document.documentElement.scrollWidth,
      [...document.querySelector('komabako-player')!.shadowRoot!.querySelectorAll('button, select')].filter((one) => one.getBoundingClientRect().height < 44)
        .length,
    ]);
    assert.deepEqual([width, low], [360, 0]);
    assert.deepEqual(consoleMessages, []);
  });

  test('a_file_that_cannot_be_shown_says_why_in_its_place', async () => {
    const { page: bare } = await site.openBare('broken.html');
    const said = (index: number) => bare.locator('komabako-player').nth(index).getByRole('alert').textContent();
    assert.match((await said(0))!, /^broken\.kif cannot be shown: .*line 7/);
    assert.match((await said(1))!, /^none\.kifを表示できません。読み込めません。 \(HTTP 404\)/);
    assert.equal(await bare.locator('komabako-board').count(), 1);
    // The other player is not disturbed.
    const third = bare.locator('komabako-player').nth(2);
    await third.getByRole('button', { name: 'Last' }).click();
    assert.equal(await third.getByRole('alert').count(), 0);
    assert.equal(await third.locator('.comments').textContent(), 'resigns');
  });

  test('a_game_has_its_number_in_the_file_and_a_board_its_own_position_or_none', async () => {
    const { page: bare } = await site.openBare('several.html');
    assert.match((await bare.locator('komabako-player').first().getByRole('alert').textContent())!, /game 1, line 7/);
    const second = bare.locator('komabako-player').nth(1);
    await second.locator('option[value="1"]').getByText('P2g-2f').waitFor({ state: 'attached' });
    assert.equal(await second.getByRole('alert').count(), 0);
    const board = bare.locator('komabako-board[sfen=xyz]');
    assert.match((await board.getByRole('alert').textContent())!, /xyz/);
    assert.equal(await board.getByRole('gridcell', { name: /pawn/i }).count(), 0);
  });

  test('another_file_replaces_the_first_even_while_that_is_loading', async () => {
    const { page: bare, player } = await show('');
    await player.getByRole('button', { name: 'Last' }).click();
    await player.evaluate((element) => {
      const one = element as HTMLElement & { src: string };
      one.src = 'broken.kif';
      void Promise.resolve().then(() => {
        one.src = 'other.csa';
      });
    });
    await player.locator('section[aria-busy=false] option[value="1"]').getByText('P2g-2f').waitFor({ state: 'attached' });
    assert.equal(await shown(bare), START);
    assert.equal(await player.getByRole('alert').count(), 0);
  });

  test('axe_finds_nothing_beside_a_player', async () => {
    const { page: bare, player } = await show('');
    for (let step = 0; step < 2; step += 1) await player.getByRole('button', { name: 'Next move' }).click();
    assert.deepEqual(await violations(bare), []);
  });

  test('a_board_needs_no_wasm_and_is_edited_by_keys_and_pointer', async () => {
    const strict = await Site.start({ folder: project.folder, headers: { 'content-security-policy': STRICTER } });
    try {
      const { page: bare, consoleMessages, requests } = await strict.openBare('board.html');
      const changed = bare.evaluate(
        () =>
          new Promise<string>((resolve) =>
            document.addEventListener('komabako-change', (event) => resolve((event as CustomEvent<{ sfen: string }>).detail.sfen), { once: true }),
          ),
      );
      await bare.getByRole('gridcell', { name: '5e' }).focus();
      await bare.keyboard.press('ArrowDown');
      await bare.keyboard.press('g');
      assert.match(await changed, /^9\/9\/9\/9\/4k4\/4G4\//);
      await bare.getByRole('gridcell', { name: '5f' }).click();
      await bare.getByRole('gridcell', { name: '5d' }).click();
      assert.match(await bare.locator('komabako-board').evaluate((board) => (board as HTMLElement & { sfen: string }).sfen), /^9\/9\/9\/4G4\/4k4\//);
      assert.deepEqual(consoleMessages, []);
      assert.ok(!requests.some((address) => address.endsWith('.wasm')), requests.join(' '));
    } finally {
      await strict.stop();
    }
  });

  for (const [bundler, build] of Object.entries(BUNDLERS))
    test(`the_package_works_in_a_page_that_${bundler}_built`, async () => {
      const bundle = new Project({
        'index.html':
          '<!doctype html><html lang="en"><title>Bundled</title><link rel="icon" href="data:,"><script type="module" src="/main.js"></script><p></p><komabako-player src="game.kif" lang="en"></komabako-player></html>',
        'main.js':
          "import 'komabako/elements';\nimport { load } from 'komabako';\nconst shogi = await load();\nawait load('copy.wasm');\ndocument.querySelector('p').textContent = shogi.call('moves', { sfen: shogi.unpack(shogi.pack('4k4/9/9/9/9/9/9/9/4K4 b R 1', 'sspfv1-ext'), 'sspfv1-ext') }).moves.length;\n",
      });
      build(bundle);
      writeFileSync(join(bundle.folder, 'dist/game.kif'), KIF);
      copyFileSync(join(WEB, 'src/komabako.wasm'), join(bundle.folder, 'dist/copy.wasm'));
      const built = await Site.start({ folder: join(bundle.folder, 'dist'), headers: { 'content-security-policy': STRICT } });
      try {
        const { page: bare, consoleMessages } = await built.openBare('');
        await bare.locator('p').getByText('84').waitFor();
        await bare.getByRole('button', { name: 'Last' }).click();
        await bare.getByText('resigns').waitFor();
        assert.deepEqual(consoleMessages, []);
      } finally {
        await built.stop();
        bundle.remove();
      }
    });
});
