// The module as in a browser: words and their owners against the published vectors, and mate search in steps.
import assert from 'node:assert/strict';
import test from 'node:test';
import { instantiate, table } from './module.mjs';

const { call, exports } = instantiate();
const VECTORS = 'crates/komabako-testkit/vectors/';

/** The squares that a bit describes, by the answer to `words`. */
function squares(word, owner) {
  if (owner.of === 'square') return [owner.square];
  const same = (other) => other.of === owner.of && other.color === owner.color && other.kind === owner.kind;
  return word.places.filter((place) => same(place.owner)).map((place) => place.square);
}

/** The bits that a square lights. */
function lit(word, square) {
  const bits = new Set();
  for (const { offset, len, owner } of word.owners) {
    if (squares(word, owner).includes(square)) for (let bit = offset; bit < offset + len; bit++) bits.add(bit);
  }
  return bits;
}

/** The piece on each square of an SFEN, by its USI name; undefined if it is empty. */
function board(sfen) {
  const pieces = {};
  for (const [rank, row] of sfen.split(' ')[0].split('/').entries()) {
    let file = 9;
    for (const [, empty, piece] of row.matchAll(/(\d)|(\+?[a-zA-Z])/g)) {
      if (piece) pieces[`${file}${'abcdefghi'[rank]}`] = piece;
      file -= empty ? Number(empty) : 1;
    }
  }
  return pieces;
}

test('the module exports its functions and imports nothing', () => {
  for (const name of ['argument', 'call', 'result', 'result_bytes']) assert.equal(typeof exports[name], 'function');
  assert.equal(call('version', {}).protocol, 1);
});

test('words of every public vector equal the tables', () => {
  const columns = { sspfv1: ['sspf', 'sspf_hex', 'sspfv1'], psv: ['psv', 'psv_hex'], hcp: ['hcp', 'hcp_hex'] };
  let compared = 0;
  for (const file of ['base_public.tsv', 'formats_public.tsv', 'handicap_public.tsv']) {
    for (const row of table(VECTORS + file)) {
      for (const word of call('words', { sfen: row.sfen })) {
        const name = columns[word.format]?.find((key) => key in row);
        if (!name || !word.hex || !/^[0-9a-fA-F]{64}$/.test(row[name])) continue;
        assert.equal(word.hex, row[name].toLowerCase(), `${word.format} of ${row.sfen}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 1000, `${compared} words compared`);
});

test('every bit of every public vector has one owner whose squares highlight it', () => {
  let bits = 0;
  const names = ['base', 'formats', 'handicap', 'ext', 'compact', 'rank', 'records', 'lenient'].map((name) => `${name}_public.tsv`);
  for (const file of [...names, 'named.tsv']) {
    for (const { sfen } of table(VECTORS + file)) {
      for (const word of call('words', { sfen })) {
        if (!word.hex || word.format === 'r238') continue;
        let next = 0;
        const lights = new Map();
        for (const { offset, len, owner } of word.owners) {
          assert.equal(offset, next, 'owners follow one another');
          next += len;
          for (const square of squares(word, owner)) {
            if (!lights.has(square)) lights.set(square, lit(word, square));
            for (let bit = offset; bit < next; bit++) assert.ok(lights.get(square).has(bit), `${word.format} ${bit}`);
          }
          if (owner.of === 'square') assert.match(owner.square, /^[1-9][a-i]$/);
          bits += len;
        }
        assert.equal(next, 256, word.format);
        // Every piece of the board has bits in every format that holds the position.
        for (const square of Object.keys(board(sfen))) {
          const own = lights.get(square) ?? lit(word, square);
          assert.ok(own.size > 0, `${word.format}: ${square} of ${sfen} lights nothing`);
        }
      }
    }
  }
  assert.ok(bits > 1_000_000, `${bits} bits`);
});

test('mates of up to nine plies are solved within a second each', () => {
  const rows = table('crates/komabako-tsume/tests/data/lengths.tsv').filter((row) => Number(row.tsume) <= 9);
  assert.ok(rows.length > 50, `${rows.length} rows`);
  let slowest = 0;
  for (const { sfen, tsume } of rows) {
    // CPU time, because the machine may be busy with other work.
    const begun = process.cpuUsage();
    call('solve', { sfen, goal: 'shortest', hideUseless: true, memory: 64 });
    let step;
    do {
      step = call('solveStep', { nodes: 20_000 });
    } while (step.state === 'running');
    const { user, system } = process.cpuUsage(begun);
    const taken = (user + system) / 1000;
    slowest = Math.max(slowest, taken);
    const { verdict } = step.outcome;
    assert.deepEqual([verdict.is, verdict.length, verdict.exact], ['mate', Number(tsume), true], sfen);
    assert.ok(taken <= 1000, `${sfen}: ${taken} ms`);
  }
  console.log(`${rows.length} mates, the slowest in ${slowest.toFixed(0)} ms`);
});

test('a search is cancelled between two steps', () => {
  const sfen = 'g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1';
  call('solve', { sfen, goal: 'any', hideUseless: true, memory: 16 });
  const { state, progress } = call('solveStep', { nodes: 5_000 });
  assert.equal(state, 'running');
  assert.ok(progress.nodes >= 5_000 && progress.proof > 0);
  assert.equal(call('solveStop', { reason: 'cancelled' }).verdict.reason, 'cancelled');
  assert.throws(() => call('solveStep', { nodes: 1 }), { name: 'NOT_SOLVING' });
});

test('perft counts in steps', () => {
  const sfen = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';
  const { roots } = call('perft', { sfen, depth: 4 });
  let step;
  do {
    step = call('perftStep', { nodes: 10_000 });
  } while (!step.done);
  assert.equal(step.nodes, 719_731);
  assert.equal(step.counts.length, roots.length);
});
