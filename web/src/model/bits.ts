/** The bits of a packed position for the grids: the bits of a place of the board, and the changed bits. */

import type { OwnedBits, Owner, Word } from '../module.js';
import type { Color, HandKind } from './piece.js';
import type { Place } from './setup.js';
import { parseSquare, squareName } from './square.js';

/** An item that can be pointed at: a place of the board, or the side to move. */
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

/** The bits in which two words differ, where a shorter word is padded with zeros; empty if a word is missing. */
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

/** Whether a run's owner describes the subject. The bits of a king, or of a pair of pieces stored by square, describe the
 * squares that the word lists for them. */
export function describes(word: Word, owner: Owner, subject: Subject): boolean {
  switch (subject.at) {
    case 'side':
      return owner.of === 'side';
    case 'board': {
      const square = squareName(subject.square);
      if (owner.of === 'square') return owner.square === square;
      return word.places.some((place) => place.square === square && sameOwner(place.owner, owner));
    }
    case 'hand':
      return owner.of === 'hand' && subject.color === owner.color && subject.kind === owner.kind;
    case 'box':
      return owner.of === 'box' && subject.kind === owner.kind;
  }
}

function sameOwner(one: Owner, other: Owner): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function bitsOf(word: Word, subject: Subject | null): Set<number> {
  const bits = new Set<number>();
  if (!subject) return bits;
  for (const run of word.owners) {
    if (describes(word, run.owner, subject)) for (let bit = run.offset; bit < run.offset + run.len; bit += 1) bits.add(bit);
  }
  return bits;
}

/** The places to highlight for an owner. */
export function placesOf(word: Word, owner: Owner): Place[] {
  const squares = word.places.filter((place) => sameOwner(place.owner, owner)).map((place) => place.square);
  if (owner.of === 'square') squares.push(owner.square);
  const places = squares.flatMap((name): Place[] => {
    const square = parseSquare(name);
    return square === null ? [] : [{ at: 'board', square }];
  });
  if (owner.of === 'hand') places.push({ at: 'hand', color: owner.color as Color, kind: owner.kind as HandKind });
  if (owner.of === 'box') places.push({ at: 'box', kind: owner.kind });
  return places;
}
