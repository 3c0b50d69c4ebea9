/** Parses and formats SFEN. */

import { type Color, HAND_KINDS, type HandKind, type Piece, isPiece, makePiece } from './piece.js';
import { EMPTY, type Setup, changeHand, handCount, withinSet } from './setup.js';

export const START_SFEN = 'lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1';

/** The largest number of a move in the crates. */
const LAST_PLY = 0xffffffff;

/** The setup of an SFEN (board, side, hand, ply; the last may be missing), or null. A ply below 1 becomes 1, as in the
 * command-line program. */
export function parseSfen(text: string): Setup | null {
  const words = text.trim().split(/\s+/);
  if (words[0] === 'sfen') words.shift();
  const [rows, side, hands, ply, ...more] = words;
  if (rows === undefined || !/^[bw]$/.test(side ?? '') || hands === undefined || more.length > 0) return null;
  if (ply !== undefined && !(/^\d{1,10}$/.test(ply) && Number(ply) <= LAST_PLY)) return null;
  const board = parseBoard(rows);
  if (!board) return null;
  const bare: Setup = { ...EMPTY, board, side: side === 'b' ? 'black' : 'white', ply: Math.max(1, Number(ply ?? 1)) };
  const setup = addHands(bare, hands);
  return setup && withinSet(setup) ? setup : null;
}

function parseBoard(text: string): (Piece | null)[] | null {
  const rows = text.split('/').map(parseRow);
  return rows.length === 9 && rows.every((row) => row !== null) ? rows.flat() : null;
}

function parseRow(text: string): (Piece | null)[] | null {
  const row: (Piece | null)[] = [];
  for (const token of text.match(/\+?[^+]|\+/g) ?? []) {
    if (/^[1-9]$/.test(token)) row.push(...Array<null>(Number(token)).fill(null));
    else if (isPiece(token)) row.push(token);
    else return null;
  }
  return row.length === 9 ? row : null;
}

function addHands(bare: Setup, text: string): Setup | null {
  if (text === '-') return bare;
  let setup = bare;
  let end = 0;
  for (const match of text.matchAll(/(\d*)([RBGSNLPrbgsnlp])/g)) {
    if (match.index !== end) return null;
    end += match[0].length;
    const count = match[1] === '' ? 1 : Number(match[1]);
    const letter = match[2]!;
    const color: Color = letter === letter.toUpperCase() ? 'black' : 'white';
    const edit = changeHand(setup, color, letter.toUpperCase() as HandKind, count);
    if (count === 0 || 'refused' in edit) return null;
    setup = edit.setup;
  }
  return end === text.length && end > 0 ? setup : null;
}

export function formatSfen(setup: Setup): string {
  const rows: string[] = [];
  for (let rank = 0; rank < 9; rank += 1) rows.push(formatRow(setup.board.slice(rank * 9, rank * 9 + 9)));
  return `${rows.join('/')} ${setup.side === 'black' ? 'b' : 'w'} ${formatHands(setup)} ${setup.ply}`;
}

function formatRow(row: readonly (Piece | null)[]): string {
  let text = '';
  let blanks = 0;
  for (const piece of row) {
    if (piece === null) {
      blanks += 1;
      continue;
    }
    text += (blanks || '') + piece;
    blanks = 0;
  }
  return text + (blanks || '');
}

function formatHands(setup: Setup): string {
  let text = '';
  for (const color of ['black', 'white'] as const) {
    for (const kind of HAND_KINDS) {
      const count = handCount(setup, color, kind);
      if (count > 0) text += (count > 1 ? count : '') + makePiece(kind, color);
    }
  }
  return text || '-';
}
