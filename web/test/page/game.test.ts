/** Games: the tree of moves, comments and names, files, and what a reload keeps. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { fromModule } from '../../src/model/record.js';
import { Module } from '../../src/module.js';
import { zipOf } from '../archive.js';
import { GAME, SAMPLE, WEB, Site, drop, paste, typeNumber, withoutDownloads, withoutModule } from './harness.js';

/** The program, if it is built: `KOMABAKO`, or that of the workspace. */
const PROGRAM = [process.env['KOMABAKO'], join(WEB, '../target/debug/komabako'), join(WEB, '../target/release/komabako')].find((path) => path && existsSync(path));
const tree = (page: Page) => page.locator('.moves');
const current = (page: Page) => tree(page).locator('[aria-current=step]');
const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const openEditor = (page: Page) => page.getByText('Edit names and comment').click();

/** Saves the game and returns the file's name and content. */
async function save(page: Page, format: string): Promise<{ readonly name: string; readonly content: Buffer; readonly path: string }> {
  const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('.save').getByRole('button', { name: format, exact: true }).click()]);
  return { name: saved.suggestedFilename(), content: await readFile(await saved.path()), path: await saved.path() };
}

describe('games', { skip: withoutModule }, () => {
  let site: Site;
  let module: Module;
  let folder: string;
  before(async () => {
    site = await Site.start();
    module = await Module.instantiate(await readFile(join(WEB, 'src/komabako.wasm')));
    folder = await mkdtemp(join(tmpdir(), 'komabako-page-'));
  });
  afterEach(() => site.closePages());
  after(async () => {
    await site.stop();
    await rm(folder, { recursive: true });
  });

  const gameIn = (content: Buffer | string, extension: string) => {
    const parsed = module.parseFile({ extension }, Buffer.from(content)).ok;
    assert.ok(parsed?.kind === 'games' && parsed.games.length === 1 && parsed.faults.length === 0);
    return fromModule(parsed.games[0]!)!;
  };

  test('edited_game_is_saved_reloaded_and_reopened_without_a_loss', { skip: withoutDownloads }, async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'game.kif', Buffer.from(GAME));
    await tree(page).getByRole('button', { name: /^4 P8d-8e/ }).click();
    await openEditor(page);
    await page.getByLabel('Comment on this move').fill('an edited comment\n\n#評価値=-1234');
    await page.getByLabel('☖ White').fill('Tanaka');
    await page.keyboard.press('Tab');
    await page.locator('komabako-board').getByText('Tanaka').first().waitFor({ state: 'attached' });
    await tool(page, 'First').click();
    await page.getByLabel('Comment on the start').fill('');
    await tree(page).getByRole('button', { name: /^4 P8d-8e/ }).click();
    // A move played here continues the variation.
    await page.getByRole('gridcell', { name: '2f Black pawn' }).click();
    await page.getByRole('gridcell', { name: '2e empty' }).click();
    await current(page).getByText('P2f-2e').waitFor();
    const kif = await save(page, 'KIF');
    assert.equal(kif.name, 'Sato-Tanaka.kifu');
    const edited = GAME.replace('後手：Suzuki', '後手：Tanaka').replace('*the comment of the start\n', '')
      .replace('   4 ８五歩(84)   ( 0:01/00:01:02)', '$&\n*an edited comment\n*\n*#評価値=-1234\n   5 ２五歩(26)');
    const expected = gameIn(edited, 'kif');
    // JKF has bookmarks as comments.
    const inJkf = gameIn(edited.replace('&the', '*&the'), 'kif');
    assert.deepEqual(gameIn(kif.content, 'kif'), expected);
    const jkf = await save(page, 'JKF');
    assert.deepEqual(gameIn(jkf.content, 'jkf'), inJkf);
    // The other two say what they lack.
    for (const [format, name, lack] of [['CSA', 'Sato-Tanaka.csa', 'variation moves'], ['KI2', 'Sato-Tanaka.ki2u', 'times']] as const) {
      assert.equal((await save(page, format)).name, name);
      assert.match((await page.locator('.save [role=status]').textContent()) ?? '', new RegExp(`Saved: ${name}\\. Not held by this format: .*${lack}`));
    }
    await page.waitForURL(/game=/);
    await page.waitForTimeout(300);
    await page.reload();
    await page.locator('komabako-page[data-module=ready]').waitFor();
    await current(page).getByText('P2f-2e').waitFor();
    assert.deepEqual(gameIn((await save(page, 'KIF')).content, 'kif'), expected);
    await drop(page, 'saved.kifu', kif.content);
    await tree(page).getByRole('button', { name: /^5 P2f-2e/ }).last().waitFor();
    assert.deepEqual(gameIn((await save(page, 'KIF')).content, 'kif'), expected);
    // The program reads the file, and writes the same game.
    if (PROGRAM) {
      const out = join(folder, 'program.jkf');
      execFileSync(PROGRAM, ['kifu', '--quiet', kif.path, out, ...['--force', '--lang', 'en']]);
      assert.deepEqual(gameIn(await readFile(out), 'jkf'), inJkf);
    }
  });

  test('reload_keeps_a_game_that_is_too_long_for_the_address', async () => {
    const { page } = await site.open('?lang=en');
    const noise = Array.from({ length: 40_000 }, (_, index) => ((index * 2_654_435_761) % 4_294_967_296).toString(36)).join('');
    await drop(page, 'game.kif', Buffer.from(`${GAME}*${noise}\n`));
    await tree(page).getByRole('button', { name: /^3 P2g-2f/ }).first().click();
    await page.getByLabel('Set up', { exact: true }).check();
    await page.getByLabel('Play', { exact: true }).check();
    await page.waitForURL(/moves=7g7f,8c8d,2g2f/);
    await page.waitForTimeout(600);
    assert.doesNotMatch(page.url(), /game=/);
    await page.reload();
    await current(page).getByText('P2g-2f').waitFor();
    await tree(page).getByRole('button', { name: /^4 G4a-3b/ }).click();
    await page.locator('.comments').getByText(noise.slice(0, 40)).waitFor();
  });

  test('reload_keeps_the_steps_to_undo', async () => {
    const { page } = await site.open('?lang=en');
    const play = async (from: string, to: string) => {
      await page.getByRole('gridcell', { name: from }).click();
      await page.getByRole('gridcell', { name: to }).click();
    };
    await play('7g Black pawn', '7f empty');
    await play('3c White pawn', '3d empty');
    await play('2g Black pawn', '2f empty');
    await tool(page, 'Undo').click();
    await page.waitForURL(/moves=7g7f,3c3d&/);
    await page.waitForTimeout(300);
    await page.reload();
    await page.locator('komabako-page[data-module=ready]').waitFor();
    await tool(page, 'Redo').click();
    await current(page).getByText('P2g-2f').waitFor();
    assert.ok(await tool(page, 'Redo').isDisabled());
    for (let step = 0; step < 3; step += 1) await tool(page, 'Undo').click();
    await page.getByRole('gridcell', { name: '7g Black pawn' }).waitFor();
    assert.ok(await tool(page, 'Undo').isDisabled());
    // Steps taken after a reload are kept by the next one.
    await play('2g Black pawn', '2f empty');
    await page.waitForURL(/moves=2g2f/);
    await page.waitForTimeout(300);
    await page.reload();
    await page.locator('komabako-page[data-module=ready]').waitFor();
    await tool(page, 'Undo').click();
    await page.getByRole('gridcell', { name: '2g Black pawn' }).waitFor();
  });

  test('reload_keeps_lists_and_small_files_beside_the_board', async () => {
    const { page } = await site.open('?lang=en');
    const list = page.locator('.collection');
    await drop(page, 'both.zip', zipOf({ 'one.kif': Buffer.from(GAME), 'two.usi': Buffer.from('position startpos moves 2g2f') }));
    await list.getByRole('button', { name: /^two\.usi/ }).click();
    await drop(page, 'few.psv', (await readFile(SAMPLE)).subarray(0, 400));
    await typeNumber(page.getByRole('spinbutton', { name: 'Record', exact: true }), '7');
    const offset = page.locator('.record dd').first();
    await offset.getByText('240', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Game', exact: true }).click();
    await list.getByRole('button', { name: /^two\.usi/ }).click();
    await page.waitForURL(/moves=2g2f/);
    await page.waitForTimeout(300);
    await page.reload();
    await list.getByText('both.zip: 2 in this list').waitFor();
    assert.equal(await list.locator('[aria-current=true]').innerText(), 'two.usi');
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('heading', { name: 'few.psv' }).waitFor();
    await offset.getByText('240', { exact: true }).waitFor();
    // The board still has the game, not the record.
    assert.match(page.url(), /moves=2g2f/);
    await page.getByRole('button', { name: 'Next record' }).click();
    await offset.getByText('280', { exact: true }).waitFor();
    await page.waitForURL((url) => !url.search.includes('moves='));
    // Pasted lists too; another visit begins without them.
    await paste(page, '4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\n4k4/9/4P4/9/9/9/9/9/9 b S2r2b4g3s4n4l17p 1');
    await list.getByText('2 in this list').waitFor();
    await page.waitForURL(/b_G/);
    await page.waitForTimeout(300);
    await page.reload();
    await list.getByText('2 in this list').waitFor();
    await page.goto(`${site.url}?lang=en&moves=7g7f`);
    await page.locator('komabako-page[data-module=ready]').waitFor();
    await page.keyboard.press('[');
    await page.waitForTimeout(600);
    await page.reload();
    await page.locator('komabako-page[data-module=ready]').waitFor();
    await page.waitForTimeout(300);
    assert.equal(await list.count(), 0);
  });

  test('reload_keeps_what_was_typed_just_before', async () => {
    const { page } = await site.open('?lang=en&moves=7g7f');
    await openEditor(page);
    const box = page.getByLabel('Comment on this move');
    await box.fill('first');
    await page.waitForTimeout(600);
    for (const text of ['second', 'third']) {
      await page.evaluate((typed) => {
        const field = document.querySelector<HTMLTextAreaElement>('.comment textarea')!;
        field.value = typed;
        field.dispatchEvent(new Event('input'));
        location.reload();
      }, text);
      await page.locator('.comments').getByText(text).waitFor();
      await openEditor(page);
    }
  });

  test('duplicate_of_a_tab_keeps_its_own_game', async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'both.zip', zipOf({ 'one.kif': Buffer.from(GAME), 'two.usi': Buffer.from('position startpos moves 2g2f') }));
    await page.waitForURL(/game=/);
    await page.waitForTimeout(300);
    // A tab that is opened by a page begins with a copy of its session storage, as a duplicate does.
    const [other] = await Promise.all([page.context().waitForEvent('page'), page.evaluate(() => void window.open(location.href))]);
    await other.locator('.collection').getByText('both.zip: 2 in this list').waitFor();
    // Too much for the address.
    const noise = Array.from({ length: 40_000 }, (_, index) => ((index * 2_654_435_761) % 4_294_967_296).toString(36)).join('');
    for (const [tab, text] of [[page, 'first'], [other, 'second']] as const) {
      await openEditor(tab);
      await tab.getByLabel('Comment on the start').fill(`${text} ${noise}`);
      await tab.waitForURL((url) => !url.hash.includes('game='));
      await tab.waitForTimeout(300);
    }
    for (const [tab, text] of [[page, 'first'], [other, 'second']] as const) {
      await tab.reload();
      await tab.locator('.comments').getByText(`${text} ${noise.slice(0, 20)}`).waitFor();
      await tab.locator('.collection').getByText('both.zip: 2 in this list').waitFor();
    }
  });

  test('reload_names_a_file_that_is_too_large_to_be_kept', async () => {
    const { page } = await site.open('?lang=en');
    const large = join(folder, 'large.psv');
    await writeFile(large, await readFile(SAMPLE));
    await truncate(large, 40 << 20);
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.locator('komabako-files-tab input[type=file]').setInputFiles(large);
    await page.locator('.record').waitFor();
    await page.waitForTimeout(600);
    await page.reload();
    await page.getByText('large.psv was open, and could not be kept').waitFor();
  });

  test('later_visit_offers_the_last_game', async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'game.kif', Buffer.from(GAME));
    await tree(page).getByRole('button', { name: /^2 P8c-8d/ }).click();
    await page.waitForURL(/game=/);
    await page.waitForTimeout(300);
    await page.goto(`${site.url}?lang=en`);
    await page.locator('komabako-page[data-module=ready]').waitFor();
    await page.getByRole('gridcell', { name: '7g Black pawn' }).waitFor();
    await page.getByRole('button', { name: 'Continue the last game (☗Sato ☖Suzuki, 4 moves)' }).click();
    await page.locator('.comments').getByText('the comment of the variation').waitFor();
  });

  test('variations_fold_and_become_the_main_line', async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'game.kif', Buffer.from(GAME));
    const inner = tree(page).getByRole('button', { name: /^4 G4a-3b/ });
    await inner.waitFor();
    const fold = tree(page).getByRole('button', { name: 'Moves after P8c-8d' }).last();
    await fold.click();
    assert.equal(await fold.getAttribute('aria-expanded'), 'false');
    assert.equal(await inner.count(), 0);
    await fold.click();
    await inner.click();
    await current(page).getByText('G4a-3b').waitFor();
    await tool(page, 'Make this the main line').click();
    await tool(page, 'Make this the main line').click();
    // Its moves are now the rows of the tree, and the place in it is the same.
    assert.equal(await tree(page).locator('.move[aria-current=step]').innerText().then((text) => /G4a-3b/.test(text)), true);
    assert.equal(await tool(page, 'Make this the main line').count(), 0);
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await inner.waitFor();
    // The start, three moves, and two beside the end.
    assert.equal(await tree(page).locator('.move').count(), 6);
  });

  test('large_trees_are_folded_and_unfold_around_the_current_move', async () => {
    const { page } = await site.open('?lang=en');
    const variation = (ply: number) => `\n変化：${ply}手\n   ${ply} ${ply % 2 ? '７六歩(77)' : '３四歩(33)'}\n   ${ply + 1} ${ply % 2 ? '３四歩(33)' : '７六歩(77)'}\n`;
    const round = ['３八飛(28)', '７二飛(82)', '２八飛(38)', '８二飛(72)'];
    const main = Array.from({ length: 400 }, (_, ply) => `   ${ply + 1} ${round[ply % 4]}`).join('\n');
    await drop(page, 'game.kif', Buffer.from(`手合割：平手\n${main}\n${Array.from({ length: 390 }, (_, index) => variation(395 - index)).join('')}`));
    await tree(page).locator('.fold').nth(380).waitFor({ state: 'attached' });
    assert.equal(await tree(page).locator('.fold[aria-expanded=true]').count(), 0);
    await tree(page).locator('[data-at="9.1.0"]').click();
    await page.keyboard.press(']');
    await tree(page).locator('[data-at="9.1.1"][aria-current=step]').waitFor();
    assert.equal(await tree(page).locator('.fold[aria-expanded=true]').count(), 1);
  });

  test('graph_shows_the_scores_of_the_file_and_leads_to_their_moves', async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'game.kif', Buffer.from(GAME));
    const graph = page.locator('.scores');
    const path = (await graph.locator('.fit').getAttribute('d'))!;
    // Moves 1 to 3 of 5: +120, −80 and +350, from Black's view.
    const heights = path.slice(1).split('L').map((point) => Number(point.split(' ')[1]));
    assert.equal(heights.length, 3);
    assert.ok(heights[2]! < heights[0]! && heights[0]! < 45 && heights[1]! > 45, path);
    const box = (await graph.boundingBox())!;
    // The graph is as wide as the moves, and the end of the game stands below their texts.
    const list = (await tree(page).boundingBox())!;
    assert.deepEqual([box.x, box.width], [list.x, list.width]);
    const textLeft = (selector: string) => tree(page).locator(selector).first().evaluate((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getBoundingClientRect().left;
    });
    assert.ok(Math.abs((await textLeft('li > .end')) - (await textLeft('.move > .text'))) < 2);
    await page.mouse.click(box.x + box.width * 0.4, box.y + box.height / 2);
    await current(page).getByText('P3c-3d').waitFor();
    // In a variation with one score the main line is drawn, and the mark is where the variation leaves it.
    await tree(page).getByRole('button', { name: /^4 G4a-3b/ }).click();
    await graph.locator('.here[d="M104 0V90"]').waitFor({ state: 'attached' });
    assert.equal(await graph.locator('.fit').getAttribute('d'), path);
    await tree(page).getByRole('button', { name: /^2 P3c-3d/ }).click();
    await page.getByText('Edit names and comment').click();
    await page.getByLabel('Comment on this move').fill('no score');
    await page.waitForFunction(() => document.querySelector('.scores .fit')!.getAttribute('d')!.split('L').length === 2);
  });

  test('clocks_show_the_time_used_so_far', async () => {
    const { page } = await site.open('?lang=ja');
    await drop(page, 'game.kif', Buffer.from(GAME));
    await tree(page).locator('.move').first().waitFor();
    const clocks = page.locator('.clocks');
    assert.equal(await clocks.count(), 0, 'no time is used at the start');
    await page.keyboard.press(']');
    await page.keyboard.press(']');
    await page.keyboard.press(']');
    await clocks.getByText('☗ 1:14').waitFor();
    await clocks.getByText('☖ 0:07').waitFor();
  });

  test('typing_a_comment_is_one_step_to_undo', async () => {
    const { page } = await site.open('?lang=en&moves=7g7f');
    await openEditor(page);
    const box = page.getByLabel('Comment on this move');
    await box.pressSequentially('typed by hand');
    await tree(page).locator('.has-comment').waitFor();
    await tool(page, 'Undo').click();
    await tree(page).locator('.has-comment').waitFor({ state: 'detached' });
    assert.equal(await box.inputValue(), '');
    assert.ok(await tool(page, 'Undo').isDisabled());
    // A name has a step of its own.
    await page.getByLabel('☗ Black').pressSequentially('Sato Jiro');
    await box.pressSequentially('x');
    await tool(page, 'Undo').click();
    assert.equal(await page.getByLabel('☗ Black').inputValue(), 'Sato Jiro');
    await tool(page, 'Undo').click();
    assert.equal(await page.getByLabel('☗ Black').inputValue(), '');
    assert.ok(await tool(page, 'Undo').isDisabled());
  });

  test('pictures_are_saved_and_copied_in_two_styles', { skip: withoutDownloads }, async () => {
    const { page } = await site.open('?lang=ja', { permissions: ['clipboard-read', 'clipboard-write'] });
    await paste(page, '+P+L+N+S+B+R3/+p+l+n+s+b+r3/k8/8K/9/9/9/9/9 w 2G2SNL10P2g6p 1');
    await page.getByRole('gridcell', { name: '9三 後手 王' }).or(page.getByRole('gridcell', { name: '9三 後手 玉' })).waitFor();
    await page.getByRole('button', { name: 'コピー', exact: true }).click();
    for (const [style, name] of [['board', '盤'], ['book', '図面（白黒）']] as const) {
      const group = page.getByRole('group', { name, exact: true });
      const saved = async (button: string) => {
        const [download] = await Promise.all([page.waitForEvent('download'), group.getByRole('button', { name: button }).click()]);
        return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
      };
      const svg = await saved('SVGを保存');
      assert.equal(svg.name, `${style}.svg`);
      // The program's picture of the same position.
      assert.equal(`${svg.content.toString()}\n`, await readFile(join(WEB, 'test/fixtures', svg.name), 'utf8'));
      const png = await saved('PNGを保存');
      assert.deepEqual([png.name, png.content.readUInt32BE(16), png.content.readUInt32BE(20)], [`${style}.png`, 960, 844]);
      await group.getByRole('button', { name: '画像をコピー' }).click();
      await page.getByText(`コピーしました: ${name}`).waitFor();
      const copied = await page.evaluate(async () => {
        const [item] = await navigator.clipboard.read();
        const { width, height } = await createImageBitmap(await item!.getType('image/png'));
        return [width, height];
      });
      assert.deepEqual(copied, [960, 844]);
    }
  });

  test('archive_with_games_and_records_stays_as_a_named_list', async () => {
    const { page } = await site.open('?lang=en');
    await drop(page, 'both.zip', zipOf({ 'one.kif': Buffer.from(GAME), 'two.usi': Buffer.from('position startpos moves 2g2f'), 'few.psv': (await readFile(SAMPLE)).subarray(0, 400) }));
    const list = page.locator('.collection');
    await list.getByText('both.zip: 3 in this list').waitFor();
    await list.getByRole('button', { name: /^two\.usi/ }).click();
    await tree(page).getByText('P2g-2f').waitFor();
    await list.getByRole('button', { name: /^few\.psv/ }).click();
    await page.getByRole('heading', { name: 'few.psv' }).waitFor();
    await page.getByRole('tab', { name: 'Game', exact: true }).click();
    await list.getByRole('button', { name: /^one\.kif/ }).click();
    await tree(page).getByRole('button', { name: /^4 G4a-3b/ }).waitFor();
    assert.equal(await list.locator('[aria-current=true]').innerText(), 'one.kif ☗Sato ☖Suzuki');
  });

  test('shortened_positions_and_moves_are_pasted', async () => {
    const { page } = await site.open('?lang=en');
    await paste(page, '4k4/9/4P4/9/9/9/9/9/9');
    await page.getByRole('gridcell', { name: '5c Black pawn' }).waitFor();
    await paste(page, '7g7f 3c3d 8h2b+');
    await page.waitForURL(/moves=7g7f,3c3d,8h2b%2B/);
    // A word of 32 bytes in groups, which several formats can read.
    const record = (await readFile(SAMPLE)).subarray(0, 32).toString('hex');
    await paste(page, record.replace(/.{8}/g, '$& ').trim());
    await page.getByRole('tab', { name: 'Bits', selected: true }).waitFor();
    await page.waitForURL((url) => !url.search.includes('moves='));
    const grouped = new URL(page.url()).searchParams.get('sfen');
    assert.ok(grouped && !grouped.startsWith('lnsgkgsnl'), `${grouped}`);
    await page.keyboard.press('Escape');
    await paste(page, record);
    await page.waitForTimeout(400);
    assert.equal(new URL(page.url()).searchParams.get('sfen'), grouped, 'the same as without groups');
  });
});
