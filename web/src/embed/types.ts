/** The public members of the elements, without the types of the library that they are made with. */

export type * from '../board/element.js';

/** `<komabako-player>`. The attributes have the names of the properties, and `lang`. */
export interface PlayerElement extends HTMLElement {
  /** The address of a game record: KIF, KI2, CSA, JKF or USI. */
  src: string;
  /** The number of the game in a file with several, from 1. */
  game: number;
  /** The number of moves made before the position that is shown. */
  ply: number;
  flipped: boolean;
  faces: 'one' | 'two' | 'letters';
  coordinates: 'yes' | 'no';
}

/** The detail of `komabako-step`, which a player sends when another position is shown. */
export interface PlayerStep {
  readonly sfen: string;
  readonly ply: number;
  /** The move in USI that led to it. */
  readonly move: string | null;
}
