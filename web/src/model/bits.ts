/** The bits of a packed position as the grids show them: which belong to a place of the board, which changed. */

import type { OwnedBits, Owner, Word } from '../module.js';
import type { Color, HandKind } from './piece.js';
import type { Place, Setup } from './setup.js';
import { parseSquare, squareName } from './square.js';

/** What can be pointed at: a place of the board, or the side to move. */
export type Subject = Place | { readonly at: 'side' };

export function bitCount(word: Word): number {
  return word.bytes * 8;
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Bit 0 is the lowest bit of the first byte. */
export function bitAt(bytes: Uint8Array, bit: number): boolean {
  return ((bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
}

export function toggled(hex: string, bit: number): string {
  const bytes = bytesOf(hex);
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return hexOf(bytes);
}

/** The bits in which two words differ; all that one has and the other lacks. */
export function changedBits(before: string | null, after: string | null): Set<number> {
  const changed = new Set<number>();
  if (before === null || after === null) return changed;
  const [one, other] = [bytesOf(before), bytesOf(after)];
  for (let bit = 0; bit < Math.max(one.length, other.length) * 8; bit += 1) {
    if (bitAt(one, bit) !== bitAt(other, bit)) changed.add(bit);
  }
  return changed;
}

export function runAt(owners: readonly OwnedBits[], bit: number): OwnedBits | null {
  return owners.find((run) => bit >= run.offset && bit < run.offset + run.len) ?? null;
}

/** Whether an owner is what is pointed at. A king's square belongs to the king where a format stores kings by place. */
export function speaksOf(owner: Owner, subject: Subject, setup: Setup): boolean {
  switch (owner.of) {
    case 'side':
      return subject.at === 'side';
    case 'square':
      return subject.at === 'board' && squareName(subject.square) === owner.square;
    case 'king':
      return subject.at === 'board' && setup.board[subject.square] === (owner.color === 'black' ? 'K' : 'k');
    case 'hand':
      return subject.at === 'hand' && subject.color === owner.color && subject.kind === owner.kind;
    case 'box':
      return subject.at === 'box' && subject.kind === owner.kind;
    default:
      return false;
  }
}

export function bitsOf(word: Word, subject: Subject | null, setup: Setup): Set<number> {
  const bits = new Set<number>();
  if (!subject) return bits;
  for (const run of word.owners) {
    if (speaksOf(run.owner, subject, setup)) for (let bit = run.offset; bit < run.offset + run.len; bit += 1) bits.add(bit);
  }
  return bits;
}

/** The places that light up for an owner. */
export function placesOf(owner: Owner, setup: Setup): Place[] {
  switch (owner.of) {
    case 'square': {
      const square = parseSquare(owner.square);
      return square === null ? [] : [{ at: 'board', square }];
    }
    case 'king': {
      const square = setup.board.indexOf(owner.color === 'black' ? 'K' : 'k');
      return square < 0 ? [{ at: 'box', kind: 'K' }] : [{ at: 'board', square }];
    }
    case 'hand':
      return [{ at: 'hand', color: owner.color as Color, kind: owner.kind as HandKind }];
    case 'box':
      return [{ at: 'box', kind: owner.kind }];
    default:
      return [];
  }
}
