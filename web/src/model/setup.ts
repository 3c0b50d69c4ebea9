/** Any arrangement of one shogi set: board, hands and the box (駒箱), which holds the remaining pieces.
 *
 * The bounds are the same as in `komabako_board::Setup`: no more pieces of a kind than a set has, at most one king per
 * colour. Nothing else is required; every change keeps the bounds or is refused. Setups are immutable: no function changes
 * one. */

import {
  COLORS, type Color, HAND_KINDS, type HandKind, INVENTORY, KINDS, type Kind, type Piece, colorOf, isHandKind,
  isPromoted, kindOf, makePiece, nextFace, opponent, canPromote,
} from './piece.js';
import { SQUARES } from './square.js';

export type Hand = Readonly<Record<HandKind, number>>;

export interface Setup {
  readonly board: readonly (Piece | null)[];
  readonly hands: Readonly<Record<Color, Hand>>;
  readonly side: Color;
  readonly ply: number;
}

/** A place from which a piece can be taken, or to which it can be moved. */
export type Place =
  | { readonly at: 'board'; readonly square: number }
  | { readonly at: 'hand'; readonly color: Color; readonly kind: HandKind }
  | { readonly at: 'box'; readonly kind: Kind };

/** Why a change was refused. */
export type Refusal = 'none-left' | 'second-king' | 'king-in-hand' | 'nothing-there';
export type Edit = { readonly setup: Setup } | { readonly refused: Refusal };

const NO_PIECES: Hand = { R: 0, B: 0, G: 0, S: 0, N: 0, L: 0, P: 0 };

export const EMPTY: Setup = {
  board: Array<null>(SQUARES).fill(null),
  hands: { black: NO_PIECES, white: NO_PIECES },
  side: 'black',
  ply: 1,
};

export function handCount(setup: Setup, color: Color, kind: HandKind): number {
  return setup.hands[color][kind];
}

/** The number of pieces of a kind in the box. */
export function inBox(setup: Setup, kind: Kind): number {
  let count = INVENTORY[kind];
  for (const piece of setup.board) if (piece && kindOf(piece) === kind) count -= 1;
  if (isHandKind(kind)) for (const color of COLORS) count -= setup.hands[color][kind];
  return count;
}

export function hasKing(setup: Setup, color: Color): boolean {
  return setup.board.includes(makePiece('K', color));
}

/** Whether the setup is within the bounds of a set; false only for setups built while parsing text. */
export function withinSet(setup: Setup): boolean {
  const kings = COLORS.every((color) => setup.board.filter((piece) => piece === makePiece('K', color)).length <= 1);
  return kings && KINDS.every((kind) => inBox(setup, kind) >= 0);
}

export function withSquare(setup: Setup, square: number, piece: Piece | null): Setup {
  return { ...setup, board: setup.board.with(square, piece) };
}

function withHand(setup: Setup, color: Color, kind: HandKind, count: number): Setup {
  return { ...setup, hands: { ...setup.hands, [color]: { ...setup.hands[color], [kind]: count } } };
}

export function withSide(setup: Setup, side: Color): Setup {
  return { ...setup, side };
}

export function withPly(setup: Setup, ply: number): Setup {
  return { ...setup, ply };
}

/** Moves `change` pieces from the box to a hand, or back if negative; refused if the box or the hand has too few. */
export function changeHand(setup: Setup, color: Color, kind: HandKind, change: number): Edit {
  const count = handCount(setup, color, kind) + change;
  if (count < 0) return { refused: 'nothing-there' };
  if (change > inBox(setup, kind)) return { refused: 'none-left' };
  return { setup: withHand(setup, color, kind, count) };
}

/** The piece that would be picked up from a place. A piece from the box has the colour of the side to move, except that a
 * second king of one colour gets the other colour. */
export function pieceAt(setup: Setup, place: Place, color: Color = setup.side): Piece | null {
  switch (place.at) {
    case 'board':
      return setup.board[place.square] ?? null;
    case 'hand':
      return handCount(setup, place.color, place.kind) > 0 ? makePiece(place.kind, place.color) : null;
    case 'box': {
      if (inBox(setup, place.kind) <= 0) return null;
      const taken = place.kind === 'K' && hasKing(setup, color);
      return makePiece(place.kind, taken ? opponent(color) : color);
    }
  }
}

/** Puts a piece from the box on a square; the piece that was there goes to the box. */
export function putPiece(setup: Setup, square: number, piece: Piece): Edit {
  const cleared = withSquare(setup, square, null);
  const kind = kindOf(piece);
  if (kind === 'K' && hasKing(cleared, colorOf(piece))) return { refused: 'second-king' };
  if (inBox(cleared, kind) <= 0) return { refused: 'none-left' };
  return { setup: withSquare(cleared, square, piece) };
}

/** Moves a piece from any place to any place. A piece on the target square goes to the box. */
export function movePiece(setup: Setup, from: Place, to: Place): Edit {
  const piece = pieceAt(setup, from);
  if (!piece) return { refused: 'nothing-there' };
  const kind = kindOf(piece);
  if (to.at === 'hand' && !isHandKind(kind)) return { refused: 'king-in-hand' };
  const lifted = liftPiece(setup, from);
  switch (to.at) {
    case 'board':
      return putPiece(lifted, to.square, piece);
    case 'hand':
      return changeHand(lifted, to.color, kind as HandKind, 1);
    case 'box':
      return { setup: lifted };
  }
}

function liftPiece(setup: Setup, from: Place): Setup {
  switch (from.at) {
    case 'board':
      return withSquare(setup, from.square, null);
    case 'hand':
      return withHand(setup, from.color, from.kind, handCount(setup, from.color, from.kind) - 1);
    case 'box':
      return setup;
  }
}

/** Shows the next face of the piece on a square; a king is unchanged if the other colour's king is on the board. */
export function turnPiece(setup: Setup, square: number): Edit {
  const piece = setup.board[square];
  if (!piece) return { refused: 'nothing-there' };
  return putPiece(setup, square, nextFace(piece));
}

/** Promotes the piece on a square, or unpromotes it. */
export function promotePiece(setup: Setup, square: number): Edit {
  const piece = setup.board[square];
  if (!piece || !canPromote(kindOf(piece))) return { refused: 'nothing-there' };
  return putPiece(setup, square, makePiece(kindOf(piece), colorOf(piece), !isPromoted(piece)));
}

/** Gives the piece on a square to the other side. */
export function recolorPiece(setup: Setup, square: number): Edit {
  const piece = setup.board[square];
  if (!piece) return { refused: 'nothing-there' };
  return putPiece(setup, square, makePiece(kindOf(piece), opponent(colorOf(piece)), isPromoted(piece)));
}

/** Moves all pieces of the box except kings to one hand, as in mate problems for the defender's hand. */
export function boxToHand(setup: Setup, color: Color): Setup {
  return HAND_KINDS.reduce(
    (given, kind) => withHand(given, color, kind, handCount(given, color, kind) + inBox(given, kind)),
    setup,
  );
}

/** The setup with left and right exchanged. */
export function mirror(setup: Setup): Setup {
  return { ...setup, board: setup.board.map((_, square) => setup.board[square - (square % 9) + 8 - (square % 9)]!) };
}

/** The setup turned by 180° with colours exchanged, including hands and side to move. */
export function turnRound(setup: Setup): Setup {
  const board = setup.board
    .map((piece) => piece && makePiece(kindOf(piece), opponent(colorOf(piece)), isPromoted(piece)))
    .reverse();
  const hands = { black: setup.hands.white, white: setup.hands.black };
  return { ...setup, board, hands, side: opponent(setup.side) };
}
