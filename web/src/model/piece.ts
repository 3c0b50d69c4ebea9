/** Pieces in SFEN's letters: `P` is Black's pawn, `+r` White's dragon. The letters are the type, so a board is readable in
 * a debugger and needs no conversion to SFEN. */

export type Color = 'black' | 'white';
export const COLORS: readonly Color[] = ['black', 'white'];

/** The kinds of a hand, in the order of SFEN. */
export const HAND_KINDS = ['R', 'B', 'G', 'S', 'N', 'L', 'P'] as const;
export const KINDS = ['K', ...HAND_KINDS] as const;
export type HandKind = (typeof HAND_KINDS)[number];
export type Kind = (typeof KINDS)[number];

type Letter = Kind | Lowercase<Kind>;
export type Piece = Letter | `+${Letter}`;

/** The number of pieces of each kind in a set. */
export const INVENTORY: Readonly<Record<Kind, number>> = { K: 2, R: 2, B: 2, G: 4, S: 4, N: 4, L: 4, P: 18 };

export function opponent(color: Color): Color {
  return color === 'black' ? 'white' : 'black';
}

export function makePiece(kind: Kind, color: Color, promoted = false): Piece {
  const letter = (color === 'black' ? kind : kind.toLowerCase()) as Letter;
  return promoted ? `+${letter}` : letter;
}

export function isPromoted(piece: Piece): boolean {
  return piece.startsWith('+');
}

export function kindOf(piece: Piece): Kind {
  return piece.at(-1)!.toUpperCase() as Kind;
}

export function colorOf(piece: Piece): Color {
  const letter = piece.at(-1)!;
  return letter === letter.toUpperCase() ? 'black' : 'white';
}

export function canPromote(kind: Kind): boolean {
  return kind !== 'K' && kind !== 'G';
}

export function isHandKind(kind: Kind): kind is HandKind {
  return kind !== 'K';
}

export function isPiece(text: string): text is Piece {
  const promoted = text.startsWith('+');
  const letter = promoted ? text.slice(1) : text;
  const kind = letter.toUpperCase();
  return (KINDS as readonly string[]).includes(kind) && !(promoted && !canPromote(kind as Kind));
}

/** The next face of a piece under repeated clicks: Black, Black promoted, White, White promoted. */
export function nextFace(piece: Piece): Piece {
  const kind = kindOf(piece);
  const color = colorOf(piece);
  if (canPromote(kind) && !isPromoted(piece)) return makePiece(kind, color, true);
  return makePiece(kind, opponent(color));
}
