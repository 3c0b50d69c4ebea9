/** Squares by index: 0 is 9a (top left from Black's view), 8 is 1a, 80 is 1i: the order of SFEN. */

export const SQUARES = 81;

export function fileOf(square: number): number {
  return 9 - (square % 9);
}

export function rankOf(square: number): number {
  return Math.floor(square / 9) + 1;
}

export function squareAt(file: number, rank: number): number {
  return (rank - 1) * 9 + (9 - file);
}

/** The name of a square in USI: `7g`. */
export function squareName(square: number): string {
  return `${fileOf(square)}${'abcdefghi'[rankOf(square) - 1]}`;
}

export function parseSquare(name: string): number | null {
  const match = /^([1-9])([a-i])$/.exec(name);
  return match ? squareAt(Number(match[1]), 'abcdefghi'.indexOf(match[2]!) + 1) : null;
}
