/** The public members of the board, without the types of the library that it is made with. */

import type { Color } from '../model/piece.js';

/** `<komabako-board>`. The attributes are `sfen`, `mode`, `lang`, `flipped`, `faces`, `coordinates` and `narrow`. */
export interface BoardElement extends HTMLElement {
  sfen: string;
  /** `play`: the moves of `legal`; `setup`: any piece anywhere. */
  mode: 'play' | 'setup';
  flipped: boolean;
  /** The text on the pieces: one kanji, two kanji, or letters. */
  faces: 'one' | 'two' | 'letters';
  coordinates: 'yes' | 'no';
  /** Hands above and below the board instead of beside it. */
  narrow: boolean;
  /** The players' names, if they are known: they are shown beside their hands. */
  names: Readonly<Partial<Record<Color, string>>>;
  /** The legal moves in USI; without them nothing can be played. */
  legal: readonly string[] | null;
  /** The move in USI whose squares are tinted. */
  lastMove: string | null;
  /** The move in USI that is shown as an arrow. */
  arrow: string | null;
}

/** The detail of `komabako-change`. `move` is the move in USI, in play mode. */
export interface BoardChange {
  readonly sfen: string;
  readonly ply: number;
  readonly move?: string;
}
