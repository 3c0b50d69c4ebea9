import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bitsOf, placesOf, toggled } from '../src/model/bits.js';
import { type Game, goTo, lineThrough, movesPlayed, newGame, playMove, promoteBranch, removeBranch, variationDepth } from '../src/model/game.js';
import { HANDICAPS, handicap, mateProblem } from '../src/model/presets.js';
import { fromModule, toModule } from '../src/model/record.js';
import { EMPTY } from '../src/model/setup.js';
import { formatSfen, parseSfen } from '../src/model/sfen.js';
import { type JobRequest, Module } from '../src/module.js';

const WEB = fileURLToPath(new URL('../../', import.meta.url));
const MODULE = join(WEB, 'src/komabako.wasm');
const SAMPLE = join(WEB, '../data/sample.psv');
const EDGE = join(WEB, '../crates/komabako-kifu/tests/data/edge');
/** Rounds numbers to twelve digits, because the last digits of exp() differ between processors and WebAssembly. */
const rounded = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === 'number' ? Number(one.toPrecision(12)) : one)));
const withoutPly = (sfen: string) => sfen.split(' ').slice(0, 3).join(' ');

describe('the module and our models', { skip: existsSync(MODULE) ? false : 'no module: cargo xtask web --module' }, () => {
  let module: Module;
  before(async () => {
    module = await Module.instantiate(readFileSync(MODULE));
  });

  const wordsOf = (sfen: string) => module.call('words', { sfen }).ok!;

  test('setups_survive_packing_in_every_format', () => {
    const setups = [...HANDICAPS.map(([name]) => handicap(name)), mateProblem(), EMPTY];
    for (const setup of setups) {
      const sfen = formatSfen(setup);
      const held = wordsOf(sfen).filter((word) => word.hex !== null);
      assert.ok(held.length >= 3, sfen);
      for (const { format, hex } of held) {
        const decoded = module.call('decode', { format, hex: hex! }).ok!;
        assert.equal(withoutPly(decoded.sfen ?? ''), withoutPly(sfen), format);
      }
    }
  });

  /** The result of a job on the sample, passed in chunks that end within records. */
  const run = (job: JobRequest) => {
    assert.deepEqual(module.call('job', job), { ok: {} });
    const file = readFileSync(SAMPLE);
    for (let at = 0; at < file.length; at += 30_001) module.call('jobPush', { last: false }, file.subarray(at, at + 30_001));
    assert.equal(module.call('jobPush', { last: true }).ok?.records, 2000);
    const { answer, raw } = module.callRaw('jobFinish', {});
    return { ...answer.ok!, raw };
  };

  test('statistics_of_the_sample_equal_those_of_the_program', () => {
    const { stats, bad, records } = run({ job: 'stats', format: 'psv' });
    // Written by the program: see fixtures/README.md.
    const report = JSON.parse(readFileSync(join(WEB, 'test/fixtures/sample-stats.json'), 'utf8')) as Record<string, unknown>;
    assert.deepEqual(bad, report['bad']);
    assert.equal(records, report['records']);
    const members = Object.keys(stats as object);
    assert.ok(members.length >= 13, members.join(' '));
    for (const member of members) assert.deepEqual(rounded((stats as Record<string, unknown>)[member]), rounded(report[member]), member);
  });

  test('sample_equals_that_of_the_program', () => {
    const { raw } = run({ job: 'sample', format: 'psv', records: 100, count: 2000, seed: '7' });
    assert.equal(raw.length, 4000);
    // The checksum of the program's sample: see fixtures/README.md.
    assert.equal(createHash('sha256').update(raw).digest('hex'), '8d67c645cb1865d17e4b9dee3db3e06ecda6c3281351d20a3756015dc51b9cde');
  });

  test('the_sample_has_no_faults', () => {
    assert.deepEqual(run({ job: 'validate', format: 'psv', findings: 100 }).findings, []);
  });

  /** The public vectors to check bit by bit, as the page does; the module's own test checks all. */
  const vectors = () => ['formats_public', 'handicap_public', 'named'].flatMap((name) => {
    const [header, ...rows] = readFileSync(join(WEB, `../crates/komabako-testkit/vectors/${name}.tsv`), 'utf8').trimEnd().split('\n');
    return rows.map((row) => row.split('\t')[header!.split('\t').indexOf('sfen')]!);
  });

  test('places_of_a_bit_highlight_that_bit', () => {
    const random = '8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124';
    let bits = 0;
    for (const sfen of [random, ...vectors()]) {
      for (const word of wordsOf(sfen)) {
        const lights = new Map<string, Set<number>>();
        for (const run of word.owners) {
          for (const place of placesOf(word, run.owner)) {
            const key = JSON.stringify(place);
            const lit = lights.get(key) ?? bitsOf(word, place);
            lights.set(key, lit);
            for (let bit = run.offset; bit < run.offset + run.len; bit += 1) assert.ok(lit.has(bit), `${word.format} bit ${bit} of ${sfen}`);
            bits += run.len;
          }
        }
      }
    }
    assert.ok(bits > 300_000, `${bits} bits`);
  });

  test('flipped_bit_gives_a_position_or_a_fault', () => {
    const sfen = formatSfen(handicap('平手'));
    for (const { format, hex } of wordsOf(sfen)) {
      for (let bit = 0; bit < hex!.length * 4; bit += 1) {
        const answer = module.call('decode', { format, hex: toggled(hex!, bit) });
        assert.ok(answer.ok && (answer.ok.sfen !== null) !== (answer.ok.error !== null), `${format} bit ${bit}: ${JSON.stringify(answer).slice(0, 200)}`);
        if (answer.ok.sfen !== null) assert.ok(parseSfen(answer.ok.sfen), answer.ok.sfen);
      }
    }
  });

  test('games_of_files_are_converted_without_a_loss', () => {
    let count = 0;
    for (const file of readdirSync(EDGE)) {
      const parsed = module.parseFile({ extension: extname(file).slice(1) }, readFileSync(join(EDGE, file))).ok;
      for (const record of parsed?.kind === 'games' ? parsed.games : []) {
        const game = fromModule(record)!;
        assert.deepEqual(fromModule(toModule(game)), game, file);
        const written = (one: typeof record) => module.call('writeGame', { game: one, format: 'csa3' }).ok?.text;
        assert.equal(written(toModule(game)), written(record), file);
        count += 1;
      }
    }
    assert.ok(count > 10, `${count} games`);
  });

  test('lines_of_a_file_are_decoded_each_in_its_encoding', () => {
    const bytes = (...parts: readonly (string | readonly number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
    const YAMADA = [0x8e, 0x52, 0x93, 0x63];
    const comment = module.parseFile({ extension: 'csa' }, bytes('V2.2\nN+', YAMADA, "\nPI\n+\n'*佐藤の注\n+7776FU\n%TORYO\n")).ok;
    assert.ok(comment?.kind === 'games');
    assert.deepEqual(comment.games[0]!.header[0], ['先手', '山田']);
    assert.deepEqual(comment.games[0]!.nodes[0]!.comments, ['佐藤の注']);
    for (const name of ['あ', YAMADA]) {
      const { error } = module.parseFile({ extension: 'csa' }, bytes('V2.2\nN+', name, "\nPI\n+\n+7776FU\n'*", [0xff], '\n%TORYO\n'));
      assert.deepEqual([error?.name, error?.line, error?.column], ['ENCODING', 6, 3]);
    }
  });

  test('ends_keep_their_places_when_moves_are_removed_or_become_the_main_line', () => {
    const kif = (...lines: string[]) => {
      const parsed = module.parseFile({ extension: 'kif' }, new TextEncoder().encode(['手数----指手---------消費時間--', ...lines].join('\n'))).ok;
      assert.ok(parsed?.kind === 'games');
      return fromModule(parsed.games[0]!)!;
    };
    const reread = (game: Game) => {
      const { text } = module.call('writeGame', { game: toModule(game), format: 'kif' }).ok!;
      return kif(...text.split('\n').slice(text.split('\n').findIndex((line) => line.startsWith('手数--')) + 1));
    };
    const same = (game: Game) => assert.deepEqual({ ...reread(game), header: [] }, { ...goTo(game, []), header: [] });
    const cut = removeBranch(goTo(kif('1 ７六歩(77)', '2 ３四歩(33)', '3 ２六歩(27)', '', '変化：3手', '3 投了', '*a comment on the end'), [0, 0, 0]));
    assert.deepEqual(cut.children[0]!.children[0]!.ends.map(({ after, comments }) => [after, ...comments]), [[0, 'a comment on the end']]);
    same(cut);
    const game = kif('1 ７六歩(77)', '2 投了', '', '変化：2手', '2 ３四歩(33)', '3 ２六歩(27)', '', '変化：2手', '2 ８四歩(83)');
    assert.equal(variationDepth(goTo(game, [0])), -1);
    for (const index of [0, 1]) {
      const promoted = promoteBranch(goTo(game, [0, index]));
      assert.equal(variationDepth(promoted), -1);
      assert.deepEqual(promoted.path, [0, 0]);
      assert.equal(promoted.children[0]!.ends[0]!.after, 1);
      assert.equal(promoted.children[0]!.children[0]!.usi, ['3c3d', '8c8d'][index]);
      same(promoted);
      same(removeBranch(promoted));
    }
  });

  test('variations_survive_writing_and_reading', () => {
    let game = ['7g7f', '3c3d', '2g2f'].reduce((played, usi) => playMove(played, usi), newGame(handicap('平手')));
    game = playMove(goTo(game, [0]), '8c8d');
    const { text } = module.call('writeGame', { game: toModule(game), format: 'kif' }).ok!;
    const parsed = module.call('parse', { extension: 'kif' }, new TextEncoder().encode(text)).ok!;
    assert.ok(parsed.kind === 'games');
    const read = fromModule(parsed.games[0]!)!;
    assert.deepEqual(movesPlayed(goTo(read, lineThrough(read))), ['7g7f', '3c3d', '2g2f']);
    assert.deepEqual(movesPlayed(goTo(read, [0, 1])), ['7g7f', '8c8d']);
  });
});
