/** Start positions: the even game, handicaps, the empty mate problem, the empty board. */

import { parseSfen, START_SFEN } from './sfen.js';
import { EMPTY, type Setup, boxToHand, putPiece, withSquare, withSide } from './setup.js';
import { parseSquare, squareAt } from './square.js';

/** The 16 handicaps (手合割) by KIF's names, each with the squares of the pieces that White (上手) gives up. */
export const HANDICAPS = [
  ['平手', ''],
  ['香落ち', '1a'],
  ['右香落ち', '9a'],
  ['角落ち', '2b'],
  ['飛車落ち', '8b'],
  ['飛香落ち', '8b 1a'],
  ['二枚落ち', '8b 2b'],
  ['三枚落ち', '8b 2b 1a'],
  ['四枚落ち', '8b 2b 1a 9a'],
  ['五枚落ち', '8b 2b 1a 9a 8a'],
  ['左五枚落ち', '8b 2b 1a 9a 2a'],
  ['六枚落ち', '8b 2b 1a 9a 2a 8a'],
  ['左七枚落ち', '8b 2b 1a 9a 2a 8a 3a'],
  ['右七枚落ち', '8b 2b 1a 9a 2a 8a 7a'],
  ['八枚落ち', '8b 2b 1a 9a 2a 8a 3a 7a'],
  ['十枚落ち', '8b 2b 1a 9a 2a 8a 3a 7a 4a 6a'],
] as const;

export type HandicapName = (typeof HANDICAPS)[number][0];

/** The start of a handicap game. White moves first, except in the even game. The removed pieces are in the box. */
export function handicap(name: HandicapName): Setup {
  const squares = HANDICAPS.find(([other]) => other === name)![1];
  const start = parseSfen(START_SFEN)!;
  if (squares === '') return start;
  const given = squares.split(' ').reduce((setup, square) => withSquare(setup, parseSquare(square)!, null), start);
  return withSide(given, 'white');
}

/** A mate problem before its pieces are placed: White's king on 5a, all other pieces in Black's hand (the seed's default). */
export function mateProblem(): Setup {
  const edit = putPiece(EMPTY, squareAt(5, 1), 'k');
  return 'setup' in edit ? boxToHand(edit.setup, 'black') : EMPTY;
}
