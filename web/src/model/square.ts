/** Squares by index: 0 is 9a (top left as Black sees the board), 8 is 1a, 80 is 1i: the order SFEN writes them in. */

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

/** `7g`, as USI and SFEN name squares. */
export function squareName(square: number): string {
  return `${fileOf(square)}${'abcdefghi'[rankOf(square) - 1]}`;
}

export function parseSquare(name: string): number | null {
  const match = /^([1-9])([a-i])$/.exec(name);
  return match ? squareAt(Number(match[1]), 'abcdefghi'.indexOf(match[2]!) + 1) : null;
}
