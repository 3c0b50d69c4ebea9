import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Project, WEB, unpackable } from './package.js';

/** A program of a user, in TypeScript: each call that the README shows, and a refused one. */
const PROGRAM = `
import { KomabakoError, type LegalMove, type SolveOutcome, type WordFormat, WORD_FORMATS, load } from 'komabako';

const shogi = await load();
const START = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -';
const formats: readonly WordFormat[] = WORD_FORMATS;
const unpacked = formats.map((format) => shogi.unpack(shogi.pack(START, format), format));
const { moves }: { moves: LegalMove[] } = shogi.call('moves', { sfen: START, moves: ['7g7f', '3c3d'] });
const parsed = shogi.parse('▲７六歩 △３四歩', 'ki2');
if (parsed.kind !== 'games') throw new Error(parsed.kind);
const { text } = shogi.call('writeGame', { game: parsed.games[0]!, format: 'csa' });
const PROBLEM = '8k/9/7PP/9/9/9/9/9/9 b G2r2b3g4s4n4l16p 1';
const outcome: SolveOutcome = await shogi.solve(PROBLEM, { signal: AbortSignal.timeout(60_000) });
const LONG = '8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1';
const cancelled = await shogi.solve(LONG, { signal: AbortSignal.abort() });
const searches = await Promise.allSettled([shogi.solve(LONG, { signal: AbortSignal.timeout(50) }), shogi.solve(PROBLEM)]);
shogi.call('job', { job: 'sample', format: 'hcp', records: 1, count: 2, seed: '7' });
const one = shogi.pack(START, 'hcp');
shogi.call('jobPush', { last: true }, Uint8Array.from([...one, ...one]));
const sample = shogi.callRaw('jobFinish', {}).raw;
const games = shogi.parse(new TextEncoder().encode('▲７六歩').buffer, 'ki2');
const refused = [];
for (const bytes of [[1, 2], new Blob()]) {
  try {
    shogi.parse(bytes as unknown as Uint8Array);
  } catch (error) {
    if (error instanceof KomabakoError) refused.push(error.message);
  }
}
for (const memory of [0, 5000, NaN]) await shogi.solve(PROBLEM, { memory }).catch(({ fault }) => refused.push(fault.name));
let fault = '';
try {
  shogi.unpack(new Uint8Array(32).fill(255), 'psv');
} catch (error) {
  if (error instanceof KomabakoError) fault = error.fault.name;
}
console.log(JSON.stringify({ unpacked, moves: moves.length, text, outcome, cancelled, searches: searches.map(({ status }) => status), sample: sample.length, games: games.kind, refused, fault }));
`;

const CONFIG = JSON.stringify({
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom'],
    types: [],
    strict: true,
    skipLibCheck: false,
    exactOptionalPropertyTypes: true,
  },
  files: ['program.ts', 'page.ts', 'readme.ts'],
});

/** For a project without the types of the DOM. */
const NODE_CONFIG = JSON.stringify({
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023'],
    typeRoots: [join(WEB, 'node_modules/@types')],
    types: ['node'],
    strict: true,
    noEmit: true,
  },
  files: ['readme.ts'],
});
const README = /```js\n([^`]*)```/.exec(readFileSync(join(WEB, 'npm/README.md'), 'utf8'))![1]!;

/** The same for the elements. */
const PAGE = `
import 'komabako/elements';
import type { PlayerStep } from 'komabako/elements';
const board = document.createElement('komabako-board');
board.legal = ['7g7f'];
const player = document.createElement('komabako-player');
player.addEventListener('komabako-step', (event) => console.log((event.detail satisfies PlayerStep).sfen));
board.addEventListener('komabako-change', ({ detail }) => console.log(detail.move));
player.src = 'game.kif';
document.body.append(board, player);
// @ts-expect-error: no such side
board.mode = 'analysis';
`;

describe('the package in a fresh project', { skip: unpackable }, () => {
  let project: Project;
  before(() => {
    project = new Project({ 'program.ts': PROGRAM, 'page.ts': PAGE, 'readme.ts': README, 'tsconfig.json': CONFIG, 'node.json': NODE_CONFIG });
  });
  after(() => project.remove());

  test('a_typescript_program_compiles_and_runs_under_node', () => {
    project.runTool('tsc', '-p', '.');
    const said = JSON.parse(project.run('node', 'program.js')) as Record<string, unknown> & {
      outcome: { verdict: unknown };
      cancelled: { verdict: unknown };
      text: string;
    };
    assert.deepEqual(said['unpacked'], Array(7).fill('lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -'));
    assert.equal(said['moves'], 39);
    assert.match(said.text, /\+7776FU\n-3334FU/);
    assert.equal((said.outcome.verdict as { length: number }).length, 1);
    assert.deepEqual(said.cancelled.verdict, { is: 'unknown', reason: 'cancelled', excluded: null });
    // One search at a time: the second is refused and the first goes on.
    assert.deepEqual(said['searches'], ['fulfilled', 'rejected']);
    assert.equal(said['sample'], 32);
    assert.equal(said['fault'], 'KING_CODE');
    assert.equal(said['games'], 'games');
    const type = (name: string) => `${name}: bytes are an ArrayBuffer or a Uint8Array`;
    assert.deepEqual(said['refused'], [type('Array'), type('Blob'), ...Array<string>(3).fill('MEMORY_RANGE')]);
  });

  test('the_readme_compiles_without_the_types_of_the_dom', () => {
    project.runTool('tsc', '-p', 'node.json');
  });

  test('it_has_licences_notices_and_a_short_readme', () => {
    const folder = join(project.folder, 'node_modules/komabako');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    for (const file of [
      'LICENSE-MIT',
      'LICENSE-APACHE',
      'README.md',
      'THIRD-PARTY/lit-BSD-3-Clause.txt',
      'THIRD-PARTY/OFL.txt',
      'THIRD-PARTY/crates.md',
      'dist/komabako.d.ts',
    ]) {
      assert.ok(files.includes(file), file);
    }
    const notices = readFileSync(join(folder, 'THIRD-PARTY/crates.md'), 'utf8');
    for (const crate of ['serde_json', 'shogi_core', 'simdutf8']) assert.match(notices, new RegExp(`^## ${crate} .*MIT`, 'm'));
    assert.doesNotMatch(notices, /GENERAL PUBLIC LICENSE/i);
    assert.equal((JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts?: unknown }).scripts, undefined);
  });
});
