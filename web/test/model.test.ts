import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { gameOf, readAddress, readForeignLink, writeAddress } from '../src/model/address.js';
import { type Game, applyMove, currentNode, goTo, goToPly, isPlain, lineThrough, movesPlayed, newGame, playMove, playerName, positionAt, removeBranch, withComments } from '../src/model/game.js';
import { Unpacked, compressionOf, decompressed, plainName } from '../src/model/compression.js';
import { pack, unpack } from '../src/model/packed.js';
import { readPaste } from '../src/model/paste.js';
import { record, redo, startHistory, undo } from '../src/model/history.js';
import { grouped } from '../src/model/number.js';
import { KINDS, nextFace, type Piece } from '../src/model/piece.js';
import { HANDICAPS, handicap, mateProblem } from '../src/model/presets.js';
import { EMPTY, type Edit, type Place, type Setup, boxToHand, inBox, mirror, movePiece, putPiece, turnPiece, turnRound, withinSet } from '../src/model/setup.js';
import { formatSfen, parseSfen, START_SFEN } from '../src/model/sfen.js';
import { parseSquare, squareAt, squareName } from '../src/model/square.js';
import { Unsupported, entries } from '../src/model/zip.js';
import { withVariations } from '../src/model/variations.js';
import { boardPicture } from '../src/board/picture.js';
import { FACES } from '../src/board/pieces.js';
import { announcement } from '../src/board/changes.js';
import { Client, TaskFailed } from '../src/work/client.js';
import { DAMAGED } from '../src/work/failures.js';
import { Task } from '../src/work/task.js';
import { en } from '../src/words/en.js';
import { ja } from '../src/words/ja.js';
import { zipOf } from './archive.js';

const start = parseSfen(START_SFEN)!;
const square = (name: string) => parseSquare(name)!;
const done = (edit: Edit): Setup => {
  assert.ok('setup' in edit, JSON.stringify(edit));
  return edit.setup;
};

/** A small seeded generator, so that a failure can be reproduced. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomEdit(setup: Setup, pick: (below: number) => number): Setup {
  const anyPlace = (): Place => {
    const kind = KINDS[pick(8)]!;
    if (pick(4) === 0) return { at: 'box', kind };
    if (pick(4) === 0 && kind !== 'K') return { at: 'hand', color: pick(2) ? 'black' : 'white', kind };
    return { at: 'board', square: pick(81) };
  };
  const edit = pick(4) === 0 ? turnPiece(setup, pick(81)) : movePiece(setup, anyPlace(), anyPlace());
  return 'setup' in edit ? edit.setup : setup;
}

test('sfen_survives_reading_and_writing', () => {
  for (const sfen of [
    START_SFEN,
    '9/9/9/9/9/9/9/9/9 w - 1',
    '4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1',
    '8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124',
  ]) assert.equal(formatSfen(parseSfen(sfen)!), sfen);
});

test('invalid_sfen_is_refused', () => {
  for (const text of [
    '', 'startpos', '9/9/9/9/9/9/9/9 b - 1', '9/9/9/9/9/9/9/9/8 b - 1', '9/9/9/9/9/9/9/9/9 x - 1', '9/9/9/9/9/9/9/9/9 b 19P 1',
    '9/9/9/9/9/9/9/9/8+K b - 1', '9/9/9/9/9/9/9/9/8+ b - 1', '9/9/9/9/9/9/9/9/KK7 b - 1', '9/9/9/9/9/9/9/9/9 b 0P 1',
    '9/9/9/9/9/9/9/9/9 b K 1', '9/9/9/9/9/9/9/9/9 b P? 1', '9/9/9/9/9/9/9/9/9 b - 1 7g7f', '9/9/9/9/9/9/9/9/0 b - 1',
  ]) assert.equal(parseSfen(text), null, text);
});

test('every_handicap_equals_the_table_of_the_crates', async () => {
  const table = (await import('./fixtures/handicaps.json', { with: { type: 'json' } })).default as Record<string, { sfen: string }>;
  assert.equal(Object.keys(table).length, 16);
  for (const [name] of HANDICAPS) assert.equal(formatSfen(handicap(name)), table[name]!.sfen, name);
});

test('captured_piece_goes_to_the_box', () => {
  const after = done(movePiece(start, { at: 'board', square: square('8h') }, { at: 'board', square: square('2b') }));
  assert.equal(after.board[square('2b')], 'B');
  assert.equal(inBox(after, 'B'), 1);
});

test('edits_beyond_the_set_are_refused_by_name', () => {
  assert.deepEqual(putPiece(start, square('5e'), 'P'), { refused: 'none-left' });
  assert.deepEqual(putPiece(start, square('5e'), 'K'), { refused: 'second-king' });
  assert.deepEqual(movePiece(start, { at: 'board', square: square('5i') }, { at: 'hand', color: 'black', kind: 'P' }), { refused: 'king-in-hand' });
  assert.deepEqual(movePiece(start, { at: 'box', kind: 'P' }, { at: 'board', square: 40 }), { refused: 'nothing-there' });
});

test('clicks_turn_a_piece_through_four_faces', () => {
  const faces: Piece[] = ['S'];
  for (let click = 0; click < 4; click += 1) faces.push(nextFace(faces.at(-1)!));
  assert.deepEqual(faces, ['S', '+S', 's', '+s', 'S']);
  assert.equal(nextFace('G'), 'g');
  assert.deepEqual(turnPiece(start, square('5i')), { refused: 'second-king' });
});

test('mirror_and_turn_round_undo_themselves', () => {
  const sfen = '8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124';
  const setup = parseSfen(sfen)!;
  assert.notEqual(formatSfen(mirror(setup)), sfen);
  assert.equal(formatSfen(mirror(mirror(setup))), sfen);
  assert.equal(formatSfen(turnRound(turnRound(setup))), sfen);
  assert.equal(formatSfen(turnRound(start)), START_SFEN.replace(' b ', ' w '));
});

test('mate_problem_gives_black_all_pieces_but_the_kings', () => {
  assert.equal(formatSfen(mateProblem()), '4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1');
  assert.equal(inBox(boxToHand(EMPTY, 'white'), 'P'), 0);
});

test('undo_of_100_random_edits_restores_the_sfen', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const pick = random(seed);
    let history = startHistory(start);
    for (let edits = 0; edits < 100; edits += 1) {
      history = record(history, randomEdit(history.present, pick));
      assert.ok(withinSet(history.present), formatSfen(history.present));
      assert.equal(formatSfen(parseSfen(formatSfen(history.present))!), formatSfen(history.present));
    }
    const last = formatSfen(history.present);
    for (let step = 0; step < 100; step += 1) history = undo(history);
    assert.equal(formatSfen(history.present), START_SFEN);
    for (let step = 0; step < 100; step += 1) history = redo(history);
    assert.equal(formatSfen(history.present), last);
  }
});

test('moves_step_capture_promote_and_drop', () => {
  let setup = start;
  for (const usi of ['7g7f', '3c3d', '8h2b+', '3a2b', 'B*5e']) setup = applyMove(setup, usi)!;
  assert.equal(formatSfen(setup), 'lnsgkg1nl/1r5s1/pppppp1pp/6p2/4B4/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6');
  for (const usi of ['5e5d', 'P*5e', '7g7f++', '1a1j', '5i5h+']) assert.equal(applyMove(start, usi), null, usi);
});

test('second_reply_becomes_a_variation', () => {
  let game = ['7g7f', '3c3d', '2g2f'].reduce((played, usi) => playMove(played, usi), newGame(start));
  game = playMove(goToPly(game, 1), '8c8d');
  assert.deepEqual(game.path, [0, 1]);
  assert.deepEqual(movesPlayed(game), ['7g7f', '8c8d']);
  assert.deepEqual(playMove(goToPly(game, 1), '3c3d').path, [0, 0]);
  assert.equal(positionAt(game).ply, 3);
  const cut = removeBranch(game);
  assert.deepEqual(lineThrough(cut), [0, 0, 0]);
});

test('announcement_names_the_move_or_the_changed_squares', () => {
  const moved = applyMove(start, '7g7f')!;
  assert.equal(announcement(start, moved, '7g7f', ja), '▲7六歩');
  assert.equal(announcement(start, moved, '2g2f', en), '7f Black pawn. 7g empty', 'another move than the one named is a change of squares');
  const edited = done(movePiece(start, { at: 'board', square: square('1g') }, { at: 'box', kind: 'P' }));
  assert.equal(announcement(start, start, null, en), '');
  assert.equal(announcement(start, edited, null, en), '1g empty');
  assert.equal(announcement(edited, start, null, ja), '1七 先手 歩');
  assert.equal(announcement(start, EMPTY, null, en), '', 'another position is not read out');
});

test('opened_tree_nodes_become_variations', () => {
  const line = ['7g7f', '3c3d', '2g2f'].reduce((game, usi) => playMove(game, usi), newGame(start));
  const branch = (usi: string, status = 'mate') => ({ usi, japanese: usi, status });
  const grown = withVariations(line, new Map<string, ReturnType<typeof branch>[] | 'busy'>([
    ['7g7f 8c8d', [branch('1g1f')]],
    ['7g7f', [branch('3c3d'), branch('8c8d')]],
    ['', [branch('7g7f'), branch('9g9f', 'no-mate'), branch('1g1f', 'unknown')]],
    ['7g7f 3c3d 2g2f', 'busy'],
    ['5g5f', [branch('3c3d')]],
  ]));
  assert.deepEqual(grown.path, []);
  assert.deepEqual(movesPlayed(goTo(grown, lineThrough(grown))), ['7g7f', '3c3d', '2g2f'], 'the line stays the first');
  assert.deepEqual(grown.children.map(({ usi }) => usi), ['7g7f'], 'what does not mate is left out');
  assert.deepEqual(movesPlayed(goTo(grown, [0, 1, 0])), ['7g7f', '8c8d', '1g1f']);
});

test('plus_in_a_query_is_read_as_blank_or_promotion', () => {
  const sfen = '4k4/4+R4/9/9/9/9/9/9/4+b4 b 4S2g 7';
  for (const query of [
    '?sfen=4k4/4%2BR4/9/9/9/9/9/9/4%2Bb4_b_2g4S_7',
    '?sfen=4k4/4%2BR4/9/9/9/9/9/9/4%2Bb4+b+2g4S+7',
    '?sfen=4k4/4+R4/9/9/9/9/9/9/4+b4%20b%202g4S%207',
    '?sfen=4k4/4+R4/9/9/9/9/9/9/4+b4+b+2g4S+7',
    '?sfen=4k4/4+R4/9/9/9/9/9/9/4+b4_b_2g4S_7&lang=ja',
  ]) assert.equal(formatSfen(readAddress(query, '').setup!), sfen, query);
  assert.equal(formatSfen(readAddress('?sfen=4k4/9/9/9/9/9/9/9/9+b+p+1', '').setup!), '4k4/9/9/9/9/9/9/9/9 b p 1');
  assert.equal(readAddress('?sfen=nonsense%', '').bad, 'nonsense%');
  const read = (query: string) => [readAddress(query, '').moves, readAddress(query, '').bad];
  assert.deepEqual(read('?moves=7g7f,7g7,3c3d'), [['7g7f'], '7g7'], 'moves end before what is none');
  assert.deepEqual(read('?sfen=BAD&moves=7g7f'), [[], 'BAD'], 'moves of another position are not played');
});

test('written_addresses_are_read_back', () => {
  const pick = random(7);
  let setup = start;
  for (let edits = 0; edits < 200; edits += 1) {
    setup = randomEdit(setup, pick);
    const url = new URL(writeAddress(newGame(setup), 'bits', 'ja'), 'https://example.org/page/');
    const address = readAddress(url.search, url.hash);
    assert.equal(formatSfen(address.setup!), formatSfen(setup));
    assert.deepEqual([address.tab, address.language], ['bits', 'ja']);
  }
  let game = ['7g7f', '3c3d', '8h2b+'].reduce((played, usi) => playMove(played, usi), newGame(start));
  game = goToPly(game, 2);
  const url = new URL(writeAddress(game, 'board', null), 'https://example.org/');
  assert.deepEqual(readAddress(url.search, url.hash).moves, ['7g7f', '3c3d', '8h2b+']);
  assert.equal(readAddress(url.search, url.hash).ply, 2);
});

test('long_games_take_linear_work', () => {
  const cycle = ['2h1h', '8b9b', '1h2h', '9b8b'];
  const moves = Array.from({ length: 1000 }, (_, index) => cycle[index % 4]!);
  const { push } = Array.prototype;
  let work = 0;
  Array.prototype.push = function (this: unknown[], ...items: unknown[]) {
    work += items.length;
    return push.apply(this, items);
  };
  let game: Game;
  try {
    game = gameOf(readAddress(`?moves=${moves.join(',')}`, ''));
  } finally {
    Array.prototype.push = push;
  }
  assert.ok(work < 10 * moves.length, `${work} nodes pushed`);
  assert.deepEqual(movesPlayed(game), moves);
  // One comment reads each step of the path a few times.
  let reads = 0;
  const counted = (steps: readonly number[], name: string | symbol): unknown => {
    reads += 1;
    return Reflect.get(steps, name);
  };
  const path = new Proxy([...game.path], { get: counted });
  assert.deepEqual(currentNode(withComments({ ...game, path }, ['x'], null))!.comments, ['x']);
  assert.ok(reads < 20 * moves.length, `${reads} reads`);
});

test('addresses_keep_the_place_in_a_variation', () => {
  let game = ['7g7f', '3c3d', '2g2f'].reduce((played, usi) => playMove(played, usi), newGame(start));
  game = playMove(goToPly(game, 1), '8c8d');
  for (const path of [[], [0], [0, 1], [0, 0, 0]]) {
    const url = new URL(writeAddress(goTo(game, path), 'bits', null, 'abc-_'), 'https://example.org/');
    const address = readAddress(url.search, url.hash);
    assert.deepEqual([address.tab, address.game, address.path], ['bits', 'abc-_', path]);
  }
  assert.deepEqual(readAddress('', '#board&at=99999999&game=a').path, []);
});

test('packed_texts_are_unpacked_under_a_limit', async () => {
  const text = '手合割：平手\n*comment\n'.repeat(500);
  const packed = await pack(text);
  assert.match(packed, /^[\w-]+$/);
  assert.equal(await unpack(packed), text);
  for (const damaged of ['', '!', packed.slice(0, -9)]) assert.equal(await unpack(damaged), null, damaged);
  assert.equal(await unpack(await pack('x'.repeat(5 << 20))), null);
});

test('pastes_are_completed_and_told_apart', () => {
  const board = '4k4/9/9/9/9/9/9/9/4+P4';
  assert.deepEqual(readPaste(board), { text: `${board} b -` });
  assert.deepEqual(readPaste(`sfen ${board} w`), { text: `${board} w -` });
  assert.deepEqual(readPaste('7g7f 3c3d\n8h2b+ G*5b'), { text: 'startpos moves 7g7f 3c3d 8h2b+ G*5b' });
  assert.deepEqual(readPaste('58 a4 51\n22 0C:EB'), { text: '58a451220CEB' });
  assert.deepEqual(readPaste('https://example.org/a/?lang=ja&sfen=x#solve&game=y'), { query: '?lang=ja&sfen=x', fragment: '#solve&game=y' });
  assert.deepEqual(readPaste(`${board} b - 1\tmate 3\n# note\nposition sfen ${START_SFEN}`), { setups: [parseSfen(`${board} b - 1`), start] });
  for (const text of ['手合割：平手', 'https://lishogi.org/editor/', `${board} b - 1`, 'P1-KY', '7g7f hello']) assert.deepEqual(readPaste(text), { text }, text);
});

test('results_are_shown_only_with_their_subject', async () => {
  let changes = 0;
  const task = new Task<string, number, string>(() => (changes += 1));
  const waiting: { readonly report: (progress: number) => void; readonly resolve: (result: string) => void }[] = [];
  const cancelled: number[] = [];
  const begin = (subject: string) => {
    const index = waiting.length;
    return task.run(subject, (report) => ({
      result: new Promise<string>((resolve) => waiting.push({ report, resolve })),
      cancel: () => cancelled.push(index),
    }));
  };
  const first = begin('one');
  waiting[0]!.report(1);
  assert.deepEqual([task.reportOf('one'), task.reportOf('two'), task.isRunning], [1, null, true]);
  task.turnTo('one');
  assert.deepEqual(cancelled, []);
  task.turnTo('two');
  assert.deepEqual([cancelled, task.isRunning], [[0], false]);
  const second = begin('two');
  waiting[0]!.report(2);
  waiting[0]!.resolve('late');
  assert.equal(await first, null);
  assert.deepEqual([task.reportOf('two'), task.resultOf('two'), task.last], [null, null, null]);
  waiting[1]!.resolve('right');
  assert.equal(await second, 'right');
  assert.deepEqual([task.resultOf('two'), task.resultOf('one'), task.last], ['right', null, { subject: 'two', value: 'right' }]);
  const failing = task.run('two', () => ({ result: Promise.reject(new TaskFailed(DAMAGED)) }));
  assert.equal(await failing, null);
  assert.deepEqual([task.faultOf('two'), task.faultOf('one'), task.resultOf('two')], [DAMAGED, null, null]);
  assert.ok(changes > 0);
});

test('names_and_plain_games_are_told_apart', () => {
  const game = ['7g7f', '3c3d'].reduce((played, usi) => playMove(played, usi), newGame(start));
  assert.ok(isPlain(game) && isPlain(newGame(start)));
  assert.ok(!isPlain(playMove(goToPly(game, 1), '8c8d')), 'a variation');
  const named = { ...game, header: [['後手', 'White'], ['下手', 'Black']] as const };
  assert.ok(!isPlain(named));
  assert.deepEqual([playerName(named, 'black'), playerName(named, 'white'), playerName(game, 'black')], ['Black', 'White', null]);
});

test('pictures_need_no_font', () => {
  for (const faces of FACES) {
    const picture = boardPicture(parseSfen('4k4/4+R4/9/9/9/9/9/9/4+p4 b 2P10p 1')!, { ranks: ja.ranks, faces, flipped: true });
    assert.doesNotMatch(picture, /<text|font/);
    assert.doesNotMatch(picture, /d=""/, 'every character has an outline');
  }
});

test('pictures_are_those_of_the_program', () => {
  const setup = parseSfen('+P+L+N+S+B+R3/+p+l+n+s+b+r3/k8/8K/9/9/9/9/9 w 2G2SNL10P2g6p 1')!;
  const web = fileURLToPath(new URL('../../', import.meta.url));
  for (const [file, flipped, style] of [['board.svg', false, 'board'], ['turned.svg', true, 'board'], ['book.svg', false, 'book']] as const) {
    const expected = readFileSync(join(web, 'test/fixtures', file), 'utf8');
    assert.equal(`${boardPicture(setup, { ranks: ja.ranks, faces: 'one', flipped }, style)}\n`, expected);
  }
});

test('links_of_other_editors_are_read', () => {
  const sfen = '4k4/9/9/9/9/9/9/9/4+P4 b 2g 1';
  assert.equal(formatSfen(readForeignLink('https://lishogi.org/editor/SFEN_4k4/9/9/9/9/9/9/9/4%2BP4_b_2g_1')!), sfen);
  assert.equal(formatSfen(readForeignLink('https://lishogi.org/analysis/4k4/9/9/9/9/9/9/9/4+P4_b_2g_1')!), sfen);
  assert.equal(readForeignLink('https://example.org/other'), null);
});

test('thousands_are_grouped', () => {
  const numbers = [0, 7, 999, 1000, 12_345, 123_456, 1_234_567];
  assert.deepEqual(numbers.map(grouped), ['0', '7', '999', '1,000', '12,345', '123,456', '1,234,567']);
});

test('square_names_follow_usi', () => {
  assert.equal(squareName(0), '9a');
  assert.equal(squareName(squareAt(1, 9)), '1i');
  for (let index = 0; index < 81; index += 1) assert.equal(parseSquare(squareName(index)), index);
});

test('archive_entries_are_read', async () => {
  const files = { 'games/一局目.kif': Buffer.from('手合割：平手\n'.repeat(100)), 'empty.csa': Buffer.alloc(0), 'second.usi': Buffer.from('startpos') };
  const found = (await entries(new Blob([zipOf(files)])))!;
  assert.deepEqual(found.map(({ name }) => name), Object.keys(files));
  const contents: readonly Buffer[] = Object.values(files);
  for (const [index, entry] of found.entries()) assert.deepEqual(Buffer.from((await entry.read(1 << 20))!), contents[index]);
  assert.equal(await entries(new Blob(['no archive'])), null);
  assert.equal(await found[0]!.read(contents[0]!.length - 1), null, 'a limit holds, whatever the archive states');
  const archive = zipOf(files);
  // A program that unpacks itself, and a comment that looks like the end of the directory.
  const comment = Buffer.concat([archive.subarray(-22, -18), Buffer.alloc(30)]);
  const commented = Buffer.concat([archive, comment]);
  commented.writeUInt16LE(comment.length, archive.length - 2);
  for (const other of [Buffer.concat([Buffer.from('MZ'), Buffer.alloc(1000), archive]), commented]) {
    const inside = (await entries(new Blob([other])))!;
    assert.deepEqual(Buffer.from((await inside[0]!.read(1 << 20))!), contents[0]);
  }
  assert.equal(await entries(new Blob([archive.subarray(0, -30)])), null, 'cut short');
  // Encrypted, and compressed by LZMA.
  for (const [at, value] of [[8, 1], [10, 14]] as const) {
    const odd = Buffer.from(archive);
    odd[odd.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + at] = value;
    await assert.rejects((await entries(new Blob([odd])))![0]!.read(1 << 20), Unsupported);
  }
  // Any damage gives fewer files or an error when a file is read, never another content or an endless loop.
  for (let at = 0; at < archive.length; at += 7) {
    const damaged = new Uint8Array(archive);
    damaged[at] = damaged[at]! ^ 0xff;
    for (const entry of (await entries(new Blob([damaged]))) ?? []) {
      const content = await entry.read(1 << 20).catch(() => null);
      assert.ok(content === null || contents.some((one) => one.equals(content)), `${entry.name}, byte ${at}`);
    }
  }
});

test('compressed_files_are_read_whole_and_damage_is_refused', async () => {
  const web = fileURLToPath(new URL('../../', import.meta.url));
  const first = readFileSync(join(web, '../data/sample.psv')).subarray(0, 300 * 40);
  const zstd = new Uint8Array(readFileSync(join(web, 'src/sample.psv.zst')));
  const read = async (bytes: Uint8Array<ArrayBuffer>, compression: 'gzip' | 'zstd') => {
    const pieces: Uint8Array[] = [];
    for await (const piece of decompressed(new Blob([bytes]), compression)) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  const members = new Uint8Array(Buffer.concat([gzipSync(first), gzipSync(Buffer.alloc(0)), gzipSync(first.subarray(0, 4000)), gzipSync(first)]));
  const whole = new Uint8Array(Buffer.concat([zstd, zstd]));
  for (const [bytes, compression, content] of [
    [new Uint8Array(gzipSync(first)), 'gzip', first], [members, 'gzip', Buffer.concat([first, first.subarray(0, 4000), first])], [zstd, 'zstd', first], [whole, 'zstd', Buffer.concat([first, first])],
  ] as const) {
    assert.equal(compressionOf(bytes), compression);
    assert.ok((await read(bytes, compression)).equals(content), compression);
    const unpacked = new Unpacked(new Blob([bytes]), compression);
    for (const [offset, length] of [[0, 100], [5000, 40], [100, 40], [0, 1 << 20], [content.length - 7, 100], [content.length, 1]] as const) {
      assert.ok(Buffer.from(await unpacked.read(offset, length)).equals(content.subarray(offset, offset + length)), `${compression} ${offset}`);
    }
    assert.deepEqual([unpacked.size, unpacked.isDamaged], [content.length, false]);
    const short = new Unpacked(new Blob([bytes.slice(0, -9)]), compression);
    const readable = Buffer.from(await short.read(0, 1 << 20));
    assert.ok(short.isDamaged && readable.equals(content.subarray(0, readable.length)), compression);
    await assert.rejects(read(bytes.slice(0, -9), compression), compression);
  }
  assert.deepEqual([compressionOf(first), compressionOf(new Uint8Array())], [null, null]);
  assert.deepEqual(['a.psv.zst', 'b.csv.gz', 'c.hcpe'].map(plainName), ['a.psv', 'b.csv', 'c.hcpe']);
});

test('task_behind_a_cancelled_one_that_does_not_answer_is_not_lost', async () => {
  const workers: (EventTarget & { posted: { task?: string }[]; isTerminated: boolean })[] = [];
  class Stub extends EventTarget {
    posted: object[] = [];
    isTerminated = false;
    constructor() {
      super();
      workers.push(this);
    }
    postMessage(message: object): void {
      this.posted.push(message);
    }
    terminate(): void {
      this.isTerminated = true;
    }
  }
  Object.assign(globalThis, { Worker: Stub });
  const client = new Client({} as WebAssembly.Module);
  const check = client.run('check', { nodes: 1, report_nodes: 1 });
  const count = client.run('perft', { sfen: START_SFEN, depth: 1 });
  check.cancel();
  await assert.rejects(check.result, TaskFailed);
  assert.deepEqual(workers.map(({ isTerminated }) => isTerminated), [true, false]);
  assert.deepEqual(workers[1]!.posted.flatMap(({ task }) => task ?? []), ['perft']);
  workers[1]!.dispatchEvent(new MessageEvent('message', { data: { id: 2, result: 'counted' } }));
  assert.equal(await count.result, 'counted');
});
