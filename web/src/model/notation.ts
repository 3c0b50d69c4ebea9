/** Moves in Western notation with their origin (`P7g-7f`, `B8hx2b+`, `S*5e`), which is never ambiguous. */

import { isPromoted, kindOf, canPromote } from './piece.js';
import type { Language } from './address.js';
import { type GameNode, parseMove } from './game.js';
import type { Setup } from './setup.js';
import { rankOf, squareName } from './square.js';

/** A number with its sign, the format of scores. */
export const signed = (number: number) => (number < 0 ? `−${-number}` : `+${number}`);

/** Milliseconds as `1:05` or `1:00:05`. */
export function clock(time: number): string {
  const seconds = Math.round(time / 1000);
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}

/** The text of a move in `setup`; its USI if it does not fit the position. */
export function western(setup: Setup, usi: string): string {
  const move = parseMove(usi);
  if (!move) return usi;
  if (move.dropped) return `${move.dropped}*${squareName(move.to)}`;
  const piece = setup.board[move.from!];
  if (!piece) return usi;
  const kind = kindOf(piece);
  const name = (isPromoted(piece) ? '+' : '') + kind + squareName(move.from!);
  const inZone = (square: number) => (setup.side === 'black' ? rankOf(square) <= 3 : rankOf(square) >= 7);
  const stayed = !isPromoted(piece) && canPromote(kind) && (inZone(move.from!) || inZone(move.to));
  return `${name}${setup.board[move.to] ? 'x' : '-'}${squareName(move.to)}${move.promotes ? '+' : stayed ? '=' : ''}`;
}

/** The text of a move in the reader's notation; in Japanese with the mark of its side. */
export function moveText(before: Setup, node: Pick<GameNode, 'usi' | 'japanese'>, language: Language): string {
  if (language === 'ja' && node.japanese) return node.japanese;
  const text = western(before, node.usi);
  return language === 'ja' ? `${before.side === 'black' ? '▲' : '△'}${text}` : text;
}
