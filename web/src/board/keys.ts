/** The commands of keys on the grid, independent of how the board executes them. */

import { KINDS, type Kind } from '../model/piece.js';
import { squareAt } from '../model/square.js';

export type KeyCommand =
  | { readonly does: 'focus'; readonly square: number }
  | { readonly does: 'file'; readonly file: number }
  | { readonly does: 'pick' | 'let-go' | 'promote' | 'turn' | 'remove' }
  | { readonly does: 'put'; readonly kind: Kind; readonly white: boolean };

export interface KeyPress {
  readonly key: string;
  readonly shift: boolean;
}

/** The command of a key while `square` has the focus, or null for other keys. `file` is the file of a preceding digit: `7`
 * `g` jumps to 7g, and `g` alone is a gold. */
export function commandOf(press: KeyPress, square: number, flipped: boolean, file: number | null): KeyCommand | null {
  const { key } = press;
  if (file !== null && /^[a-i]$/i.test(key)) {
    return { does: 'focus', square: squareAt(file, key.toLowerCase().charCodeAt(0) - 96) };
  }
  if (/^[1-9]$/.test(key)) return { does: 'file', file: Number(key) };
  const target = focusTarget(key, square, flipped);
  if (target !== null) return { does: 'focus', square: target };
  switch (key) {
    case 'Enter':
    case ' ':
      return { does: 'pick' };
    case 'Escape':
      return { does: 'let-go' };
    case '+':
      return { does: 'promote' };
    case '/':
      return { does: 'turn' };
    case 'Delete':
    case 'Backspace':
      return { does: 'remove' };
  }
  const kind = key.toUpperCase();
  if ((KINDS as readonly string[]).includes(kind)) return { does: 'put', kind: kind as Kind, white: press.shift };
  return null;
}

/** The target of arrows and similar keys, which move on the board as displayed. */
function focusTarget(key: string, square: number, flipped: boolean): number | null {
  const shown = flipped ? 80 - square : square;
  const column = shown % 9;
  const row = Math.floor(shown / 9);
  const moved = shownTarget(key, column, row);
  return moved === null ? null : flipped ? 80 - moved : moved;
}

function shownTarget(key: string, column: number, row: number): number | null {
  switch (key) {
    case 'ArrowLeft':
      return row * 9 + Math.max(0, column - 1);
    case 'ArrowRight':
      return row * 9 + Math.min(8, column + 1);
    case 'ArrowUp':
      return Math.max(0, row - 1) * 9 + column;
    case 'ArrowDown':
      return Math.min(8, row + 1) * 9 + column;
    case 'Home':
      return row * 9;
    case 'End':
      return row * 9 + 8;
    case 'PageUp':
      return column;
    case 'PageDown':
      return 72 + column;
    default:
      return null;
  }
}
