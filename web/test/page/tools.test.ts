import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { parseSquare } from '../../src/model/square.js';
import { zipOf } from '../archive.js';
import { EDGE, PATIENCE, SAMPLE, WEB, Site, fromClickToHeading, middleOf, paste, sfenOf, showsSfen, typeNumber, within, withoutDownloads, withoutEmulation, withoutModule, withoutTouch } from './harness.js';

const LENGTHS = join(WEB, '../crates/komabako-tsume/tests/data/lengths.tsv');
/** A mate in three from lengths.tsv. */
const THREE = '?sfen=1n2kgsnb/l1b5l/pp2s3p/3pp2p1/6pP1/PP3r2P/LG%2BpPP4/2S1G2SR/3K4L_w_g2n4p_72&lang=en#solve';
/** Number 98 of Shogi Zuko. */
const ZUKO_98 = '?sfen=8k/9/9/9/9/9/9/9/9_b_R2GSr2b2g3s4n4l18p_1&lang=en#solve';
const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';
/** White's king on 5a, a black pawn on 5c and a gold in hand: mate in one. */
const MATE = '?sfen=4k4/9/4P4/9/9/9/9/9/9_b_G2r2b3g4s4n4l17p_1&lang=en#solve';
/** A mate in five. */
const FIVE = '1+n7/9/1k7/s8/3pB4/9/9/9/9 b RGSrb3g2s3n4l17p 1';
/** The start of a long composed problem, which is not solved quickly. */
const LONG = '?sfen=g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g_b_-_1&lang=en#solve';

interface Edge {
  readonly file: string;
  readonly ok: boolean;
  readonly sfen?: string;
  readonly moves?: string;
  readonly line?: number;
  readonly column?: number;
}

/** The text of a file, or null if it is not UTF-8. */
function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

describe('the page with its module', { skip: withoutModule }, () => {
  let site: Site;
  before(async () => {
    site = await Site.start();
  });
  afterEach(() => site.closePages());
  after(() => site.stop());

  test('keyboard_alone_plays_a_game_and_answers_the_promotion_prompt', async () => {
    const { page } = await site.open('?lang=en');
    await page.evaluate(() => document.querySelector('komabako-board')!.focusGrid());
    for (const key of ['7', 'g', 'Enter', 'ArrowUp', 'Enter', '3', 'c', 'Enter', 'ArrowDown', 'Enter', '8', 'h', 'Enter', '2', 'b', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Promote', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('gridcell', { name: '2b Black horse' }).waitFor();
    // White captures it, and Black drops the bishop with its letter key.
    for (const key of ['3', 'a', 'Enter', '2', 'b', 'Enter', '5', 'e', 'B']) await page.keyboard.press(key);
    await page.getByRole('gridcell', { name: '5e Black bishop' }).waitFor();
    await page.waitForURL(/moves=7g7f,3c3d,8h2b%2B,3a2b,B\*5e/);
    await page.keyboard.press('[');
    await page.getByRole('gridcell', { name: '5e empty' }).waitFor();
  });

  test('illegal_move_is_not_played', async () => {
    const { page } = await site.open('?lang=en');
    for (const name of ['7g', '7e']) {
      const { x, y } = await middleOf(page, parseSquare(name)!);
      await page.mouse.click(x, y);
    }
    assert.equal(sfenOf(page) === '' || sfenOf(page) === START, true);
    assert.doesNotMatch(page.url(), /moves/);
  });

  test('edited_position_survives_reload_and_is_solved', async () => {
    const { page } = await site.open('?lang=en');
    await page.getByLabel('Set up', { exact: true }).check();
    await page.getByRole('button', { name: 'Mate problem' }).click();
    await showsSfen(page, '4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1');
    await page.reload();
    await page.getByRole('tab', { name: 'Mate' }).click();
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByRole('heading', { name: /Mate in \d+/ }).waitFor();
  });

  test('short_mate_shows_line_and_tree', async () => {
    const { page } = await site.open(MATE);
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByRole('heading', { name: 'Mate in 1' }).waitFor();
    assert.match((await page.locator('ol.line').textContent()) ?? '', /G\*5b/);
    // The tree opens to the mating move.
    await page.getByText('All moves').click();
    await page.getByRole('treeitem', { name: /G\*5b.*mate in 1/ }).waitFor();
    assert.equal(await page.locator('.usi').textContent(), 'G*5b');
  });

  test('saved_mate_contains_the_opened_variations', { skip: withoutDownloads }, async () => {
    const { page } = await site.open('?sfen=1%2Bn7/9/1k7/s8/3pB4/9/9/9/9_b_RGSrb3g2s3n4l17p_1&lang=ja#solve');
    await page.getByRole('button', { name: '詰将棋を解く' }).click();
    await page.getByRole('heading', { name: '5手詰' }).waitFor();
    await page.getByText('すべての応手').click();
    await page.getByRole('treeitem', { name: /▲7三飛/ }).click();
    await page.getByRole('treeitem', { name: /△9二玉/ }).waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'KIFで保存' }).click()]);
    const text = await readFile(await saved.path(), 'utf8');
    assert.equal(text.match(/^変化：2手/gm)?.length, 2, text);
    assert.match(text, /変化：2手[\s\S]*９二玉/);
  });

  test('mate_in_three_appears_within_a_tenth_of_a_second', async () => {
    const { page } = await site.open(THREE);
    // Workers start with the page, so they are ready at the first click.
    await page.locator('komabako-page[data-workers=ready]').waitFor();
    const took = await fromClickToHeading(page, 'Solve', 'Mate in 3');
    assert.ok(took < 100 * PATIENCE, `${took.toFixed(0)} ms`);
  });

  test('problem_of_1755_is_solved', async () => {
    const { page } = await site.open(ZUKO_98);
    await page.getByText('Options').click();
    await page.getByLabel('Stop after').selectOption({ label: 'never' });
    await page.getByLabel('Find').selectOption('any');
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByRole('heading', { name: /Mate in \d+/ }).waitFor({ timeout: 60_000 * PATIENCE });
  });

  test('search_reports_four_times_a_second', async () => {
    const { page } = await site.open(LONG);
    await page.locator('komabako-page[data-workers=ready]').waitFor();
    await page.getByText('Options').click();
    await page.getByLabel('Stop after').selectOption({ label: 'never' });
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByText(/M\/s/).waitFor();
    const reports = await page.evaluate(() => new Promise<number>((resolve) => {
      const seen = new Set<string>();
      const observer = new MutationObserver(() => seen.add(document.querySelector('.progress b')?.textContent ?? ''));
      observer.observe(document.querySelector('komabako-solve-tab')!, { childList: true, subtree: true, characterData: true });
      setTimeout(() => resolve(seen.size), 3000);
    }));
    // Twelve in three seconds; slices of the search end slightly late.
    assert.ok(reports <= 13 && reports >= 10 / PATIENCE, `${reports} reports in three seconds`);
    await page.getByRole('button', { name: 'Cancel' }).click();
  });

  test('problems_of_up_to_nine_plies_have_their_known_lengths', async () => {
    const { page } = await site.open('?lang=en#solve');
    const rows = (await readFile(LENGTHS, 'utf8')).split('\n').slice(1).map((row) => row.split('\t'));
    // Columns: the SFEN, the length with and without useless interpositions counted.
    const problems = rows.flatMap(([sfen, , length]) => (length && Number(length) <= 9 ? [{ sfen: sfen!, length: Number(length) }] : []));
    assert.ok(problems.length > 50, `${problems.length} problems`);
    for (const { sfen, length } of problems) {
      await page.getByRole('button', { name: 'Paste or open' }).click();
      await page.getByLabel('Text', { exact: true }).fill(sfen);
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      const took = await fromClickToHeading(page, 'Solve', `Mate in ${length}`);
      assert.ok(took < 1000 * PATIENCE, `${sfen}: ${took.toFixed(0)} ms`);
    }
  });

  test('endless_search_is_cancelled_within_a_second', async () => {
    const { page } = await site.open(LONG);
    await page.getByText('Options').click();
    await page.getByLabel('Stop after').selectOption({ label: 'never' });
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByText(/M\/s/).waitFor();
    await within(1000, async () => {
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('heading', { name: 'Cancelled' }).waitFor();
    });
    assert.ok(await page.getByRole('button', { name: 'Solve', exact: true }).isEnabled());
  });

  test('search_stops_at_its_time_limit', async () => {
    const { page } = await site.open(LONG);
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByRole('heading', { name: 'Time is up: not decided' }).waitFor();
  });

  test('reader_solves_a_problem_from_a_link_by_keyboard_and_by_touch', { skip: withoutTouch }, async () => {
    const problem = FIVE.replaceAll(' ', '_').replace('+', '%2B');
    // By keyboard, with a wrong first check and a hint.
    const { page } = await site.open(`?sfen=${problem}&lang=en#tsume`);
    const said = page.locator('.reader .said');
    await said.getByText('Black mates in 5. Play the first check').waitFor();
    assert.equal(await page.locator('.answer, .usi').count(), 0, 'nothing is given away');
    const drop = async (piece: string, square: string) => {
      await page.evaluate(() => document.querySelector('komabako-board')!.focusGrid());
      for (const key of [...square, piece]) await page.keyboard.press(key);
    };
    await drop('G', '8d');
    await said.getByText('this reply escapes').waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('button', { name: 'Hint' }).click();
    await said.getByText('Drop the rook.').waitFor();
    await page.getByRole('button', { name: 'Hint' }).click();
    await said.getByText('R*7c').waitFor();
    await drop('R', '7c');
    await said.getByText('Right. Now?').waitFor();
    await page.waitForURL(/#tsume/);
    // By touch: each hint, and then the move.
    const { page: phone } = await site.open(`?sfen=4k4/9/4P4/9/9/9/9/9/9_b_G2r2b3g4s4n4l17p_1&lang=en#tsume`, { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true });
    await phone.locator('.said').getByText('Black mates in 1').waitFor();
    await phone.locator('[data-stack=black-G]').tap();
    const { x, y } = await middleOf(phone, parseSquare('5b')!);
    await phone.touchscreen.tap(x, y);
    await phone.locator('.said').getByText('Mate. Well done!').waitFor();
  });

  test('checked_problem_lists_its_findings_as_lines_to_play', async () => {
    // A gold mates on 1b or 2b; the first is the line of the answer or the other one.
    const { page } = await site.open('?sfen=8k/9/7PP/9/9/9/9/9/9_b_G2r2b3g4s4n4l16p_1&lang=en#solve');
    await page.getByRole('button', { name: 'Solve', exact: true }).click();
    await page.getByRole('heading', { name: 'Mate in 1' }).waitFor();
    await page.getByRole('button', { name: 'Check the problem' }).click();
    await page.getByRole('heading', { name: 'Sound: one solution.' }).waitFor();
    const findings = page.locator('.findings button');
    assert.equal(await page.locator('.findings .defect').count(), 0, 'another mate at the last ply is no defect');
    const dual = findings.filter({ hasText: /mates at the last ply too/ }).first();
    const move = /G\*\w\w/.exec((await dual.textContent()) ?? '')![0];
    await dual.click();
    await page.waitForURL(new RegExp(`moves=${move.replace('*', '\\*')}`));
  });

  test('fifty_problems_become_a_table', { skip: withoutDownloads }, async () => {
    const rows = (await readFile(LENGTHS, 'utf8')).split('\n').slice(1).map((row) => row.split('\t'));
    const problems = rows.flatMap(([sfen, , length]) => (length && Number(length) <= 7 ? [{ sfen: sfen!, length }] : [])).slice(0, 50);
    assert.equal(problems.length, 50);
    const { page } = await site.open('?lang=en');
    await paste(page, problems.map(({ sfen }) => sfen).join('\n'));
    await page.getByText('50 in this list').waitFor();
    await page.getByRole('button', { name: 'Solve all as mate problems' }).click();
    await page.locator('.problems li').nth(49).waitFor({ state: 'attached', timeout: 60_000 * PATIENCE });
    await page.getByRole('button', { name: 'Solve all as mate problems' }).waitFor();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save the results (TSV)' }).click()]);
    const [header, ...lines] = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\n').map((line) => line.split('\t'));
    assert.deepEqual(header, ['sfen', 'verdict', 'length', 'left', 'line', 'sound', 'duals']);
    assert.deepEqual(lines.map(([, verdict, length]) => `${verdict} ${length}`), problems.map(({ length }) => `mate ${length}`));
    await page.locator('.problems button').nth(3).click();
    await showsSfen(page, problems[3]!.sfen);
    // A short list with the check: a sound mate in one, and a position without a mate.
    await paste(page, '8k/9/7PP/9/9/9/9/9/9 b G2r2b3g4s4n4l16p 1\n4k4/9/9/9/9/9/9/9/9 b G 1');
    await page.getByText('2 in this list').waitFor();
    await page.getByLabel('also check for duals').check();
    await page.getByRole('button', { name: 'Solve all as mate problems' }).click();
    const results = page.locator('.problems li');
    await results.nth(1).waitFor({ state: 'attached' });
    assert.match((await results.nth(0).textContent()) ?? '', /Mate in 1 · Sound: one solution\./);
    assert.match((await results.nth(1).textContent()) ?? '', /No mate/);
  });

  test('perft_counts_the_start_position', async () => {
    const { page } = await site.open('?lang=en#moves');
    await typeNumber(page.getByLabel('Depth'), '4');
    await page.getByRole('button', { name: /perft/ }).click();
    await page.getByText('719,731').waitFor();
  });

  test('square_highlights_its_bits_in_every_format', async () => {
    const { page } = await site.open('?lang=en#bits');
    const { x, y } = await middleOf(page, parseSquare('7g')!);
    await page.mouse.move(x, y);
    // All formats except R238, whose number has no bits of a square.
    await page.locator('.bits .lit').nth(5).waitFor({ state: 'attached' });
    assert.equal(await page.locator('.bits .lit').count(), 6);
  });

  test('taps_highlight_bits_and_squares', { skip: withoutTouch }, async () => {
    const { page } = await site.open('?lang=en#bits', { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true });
    const { x, y } = await middleOf(page, parseSquare('7g')!);
    await page.touchscreen.tap(x, y);
    await page.locator('.bits .lit').waitFor({ state: 'attached' });
    // A phone shows one format, below a board that stays in view.
    assert.equal(await page.locator('.bits').count(), 1);
    await page.getByLabel('Format').selectOption('psv');
    await page.evaluate(() => scrollTo(0, 100_000));
    assert.ok((await page.locator('komabako-board').boundingBox())!.y >= 0, 'the board stays');
    const grid = page.getByRole('slider', { name: 'Bits of psv' });
    await grid.evaluate((svg) => scrollBy(0, svg.getBoundingClientRect().top - 420));
    const box = (await grid.boundingBox())!;
    const [, , unit] = (await grid.getAttribute('viewBox'))!.split(' ').map(Number);
    // The first bit is right of the margin with the offsets.
    await page.touchscreen.tap(box.x + (box.width / unit!) * 29, box.y + 4);
    await page.getByText('bit 0 = 0: side to move').waitFor();
  });

  test('board_stays_small_above_the_bits_on_a_tablet', async () => {
    const { page } = await site.open('?lang=en#bits', { viewport: { width: 768, height: 1024 } });
    await page.locator('.bits').nth(6).waitFor({ state: 'attached' });
    await page.evaluate(() => scrollTo(0, 1500));
    const board = (await page.locator('komabako-board').boundingBox())!;
    assert.ok(board.y >= 0 && board.height < 400, JSON.stringify(board));
    const { x, y } = await middleOf(page, parseSquare('7g')!);
    await page.mouse.move(x, y);
    await page.locator('.bits .lit').first().waitFor({ state: 'attached' });
  });

  test('bits_are_printed_with_offsets_and_labels', async () => {
    const { page } = await site.open('?lang=en#bits');
    const grid = page.locator('section[aria-label=psv] .bits');
    await grid.waitFor();
    const texts = (selector: string) => grid.locator(selector).allTextContents();
    // Each digit is one stroke of a path: its place, in the order of bits.
    const places = async (selector: string) => [...((await grid.locator(selector).getAttribute('d')) ?? '').matchAll(/M([\d.]+) ([\d.]+)/g)].map(([, x, y]) => Math.floor(Number(y) / 19) * 16 + Math.floor((Number(x) - 22) / 14));
    const [zeros, ones] = [await places('.zero-digit'), await places('.one-digit')];
    assert.deepEqual([...zeros, ...ones].sort((one, other) => one - other), Array.from({ length: 256 }, (_, bit) => bit));
    const hex = (await texts('.hex-digits')).join(' ').split(' ').map((byte) => parseInt(byte, 16));
    assert.equal(hex.length, 32);
    assert.deepEqual(ones, Array.from({ length: 256 }, (_, bit) => bit).filter((bit) => (hex[bit >> 3]! >> (bit & 7)) & 1));
    assert.deepEqual((await texts('.margin')).slice(0, 3), ['0', '16', '32']);
    const labels = await texts('.label');
    for (const label of ['side', 'K', '7g', '2h']) assert.ok(labels.includes(label), label);
    await page.setViewportSize({ width: 1920, height: 1080 });
    await grid.locator('.margin').getByText('224').waitFor();
    assert.equal(await grid.locator('.margin').count(), 8, '32 bits in a row where there is room');
  });

  test('forced_colours_distinguish_fields_by_hatching', { skip: withoutEmulation }, async () => {
    const { page } = await site.open('?lang=en#bits', { forcedColors: 'active' });
    const fills = await page.locator('section[aria-label=psv] .ground, .legend .ground').evaluateAll((grounds) =>
      grounds.map((ground) => [ground.classList[1]!, getComputedStyle(ground).fill, /#(.*?)"?\)/.exec(getComputedStyle(ground).fill)?.[1] ?? ''] as const));
    const hatched = fills.filter(([, , pattern]) => pattern !== '');
    assert.deepEqual([...new Set(hatched.map(([ground]) => ground))].sort(), ['box', 'hand-a', 'hand-b', 'king', 'payload', 'square-a']);
    for (const [, , pattern] of hatched) assert.equal(await page.locator(`pattern[id="${pattern}"]`).count(), 1, pattern);
  });

  test('moves_and_checks_are_announced', async () => {
    const { page } = await site.open('?sfen=4k4/9/4P4/9/9/9/9/9/4K4_b_G_1&lang=en');
    await page.evaluate(() => document.querySelector('komabako-board')!.focusGrid());
    for (const key of ['5', 'b', 'G']) await page.keyboard.press(key);
    await page.locator('komabako-board .live').getByText('Black gold dropped on 5b. Check').waitFor({ state: 'attached' });
    // Navigating in the game is announced likewise.
    await page.keyboard.press('[');
    await page.locator('komabako-board .live').getByText('5b empty', { exact: true }).waitFor({ state: 'attached' });
    await page.keyboard.press(']');
    await page.locator('komabako-board .live').getByText('Black gold dropped on 5b. Check').waitFor({ state: 'attached' });
  });

  test('flipped_bit_shows_a_position_or_a_fault', async () => {
    const { page } = await site.open('?lang=en#bits');
    await page.getByLabel('Edit bits').check();
    const grid = page.getByRole('slider', { name: 'Bits of psv' });
    await grid.focus();
    await page.keyboard.press('Enter');
    await showsSfen(page, START.replace(' b ', ' w '));
    await grid.focus();
    for (const key of ['ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.locator('.word .fault').first().or(page.locator('.changes:not(:empty)')).first().waitFor();
  });

  test('edge_files_of_game_records_open_by_paste_and_file', async () => {
    const expected = JSON.parse(await readFile(join(EDGE, 'expected.json'), 'utf8')) as Edge[];
    const files = new Set(await readdir(EDGE));
    const { page } = await site.open('?lang=en');
    const dialog = page.locator('komabako-paste-dialog dialog');
    const choose = (edge: Edge) => dialog.locator('input[type=file]').setInputFiles(join(EDGE, edge.file));
    const paste = (text: string) => async () => {
      await dialog.getByLabel('Text', { exact: true }).focus();
      await page.keyboard.insertText(text);
      await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    };
    let pasted = 0;
    for (const edge of expected.filter(({ file }) => files.has(file))) {
      const ways: (() => Promise<void>)[] = [() => choose(edge)];
      const text = textOf(await readFile(join(EDGE, edge.file)));
      if (text !== null) ways.push(paste(text));
      for (const read of ways) {
        await page.evaluate(() => history.replaceState(null, '', '?'));
        await page.getByRole('button', { name: 'Paste or open' }).click();
        await read();
        if (edge.ok) {
          await dialog.locator('.fault').waitFor({ state: 'detached' });
          await showsSfen(page, edge.sfen!);
          const moves = () => decodeURIComponent(/moves=([^&#]*)/.exec(page.url())?.[1] ?? '').replaceAll(',', ' ');
          for (let tries = 0; tries < 100 && moves() !== edge.moves; tries += 1) await page.waitForTimeout(50);
          assert.equal(moves(), edge.moves, edge.file);
        } else {
          assert.match((await dialog.locator('.fault').textContent()) ?? '', new RegExp(`line ${edge.line}\\b`, 'i'), edge.file);
        }
        await page.keyboard.press('Escape');
      }
      pasted += ways.length - 1;
    }
    assert.ok(pasted > 10, `${pasted}`);
  });

  test('archive_of_game_records_opens', async () => {
    const { page } = await site.open('?lang=en');
    const record = (moves: string) => Buffer.from(`position startpos moves ${moves}`);
    const buffer = zipOf({ 'a/first.usi': record('7g7f 3c3d'), 'readme.txt': Buffer.from('no game'), 'second.usi': record('2g2f'), 'broken.kif': Buffer.from('1 x'), 'data/records.psv': (await readFile(SAMPLE)).subarray(0, 12_000) });
    await page.getByRole('button', { name: 'Paste or open' }).click();
    await page.locator('komabako-paste-dialog input[type=file]').setInputFiles({ name: 'games.zip', mimeType: 'application/zip', buffer });
    await page.waitForURL(/moves=7g7f,3c3d/);
    // What cannot be read is named, with its reason; the other files stay in a list with the archive's name.
    await page.getByText(/1 file was not read completely: broken.kif \(line 1/).waitFor();
    const list = page.locator('.collection');
    await list.getByText('games.zip: 4 in this list').waitFor();
    await list.getByRole('button', { name: 'second.usi' }).click();
    await page.waitForURL(/moves=2g2f/);
    await list.getByRole('button', { name: 'first.usi' }).click();
    await page.waitForURL(/moves=7g7f,3c3d/);
    await list.getByRole('button', { name: 'records.psv' }).click();
    await page.getByRole('heading', { name: 'records.psv' }).waitFor();
    await page.getByText('300 records').first().waitFor();
  });

  test('the_page_works_offline', async () => {
    const { page } = await site.open('?lang=en');
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    assert.equal(await page.getByText('Works offline.').count(), 0);
    await page.reload();
    await page.context().setOffline(true);
    await page.reload();
    await page.getByText('Works offline.').waitFor();
    await page.getByRole('gridcell', { name: '7g Black pawn' }).waitFor();
    await page.locator('komabako-page[data-module=ready]').waitFor();
  });
});
