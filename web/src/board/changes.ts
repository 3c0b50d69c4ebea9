/** The announcement of a change on the board for screen readers. */

import { applyMove, parseMove } from '../model/game.js';
import { makePiece } from '../model/piece.js';
import { formatSfen } from '../model/sfen.js';
import type { Setup } from '../model/setup.js';
import { fileOf, rankOf } from '../model/square.js';
import type { Words } from '../words/index.js';

/** The maximum number of squares to announce; a longer sentence would take too long to listen to. */
const MAX_SQUARES = 3;

/** The move, if `move` leads from one setup to the other; else the squares that differ, occupied ones first; nothing if
 * there are many, for example after opening another position. */
export function announcement(before: Setup, after: Setup, move: string | null, words: Words): string {
  const played = move === null ? null : applyMove(before, move);
  const read = move === null ? null : parseMove(move);
  if (played && read && formatSfen(played) === formatSfen(after)) {
    const piece = read.from === null ? makePiece(read.dropped!, before.side) : before.board[read.from]!;
    return words.moveSaid(before.side, fileOf(read.to), rankOf(read.to), piece, read.promotes, read.dropped !== null, before.board[read.to] ?? null);
  }
  const changed = after.board.flatMap((piece, square) => (piece === before.board[square] ? [] : [square]));
  if (changed.length > MAX_SQUARES) return '';
  changed.sort((one, other) => Number(after.board[one] === null) - Number(after.board[other] === null));
  return changed.map((square) => words.squareName(fileOf(square), rankOf(square), after.board[square] ?? null)).join('. ');
}
