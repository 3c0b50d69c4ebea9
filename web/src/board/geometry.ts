/** The layout of the drawing, in its own units: a square is 40 × 44, as on a real board.
 *
 * There are two layouts rather than one that is scaled. Wide: hands beside the board, the box below White's hand. Narrow
 * (a phone): hands above and below, seven in a row, so that at 400 px a square is still 40 px wide. */

import { HAND_KINDS, KINDS, type Color, type HandKind, type Kind, opponent } from '../model/piece.js';
import type { Place } from '../model/setup.js';

export const CELL = { width: 40, height: 44 } as const;

export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Rect extends Point {
  readonly width: number;
  readonly height: number;
}

export interface View {
  readonly narrow: boolean;
  readonly flipped: boolean;
  /** Whether the box is drawn, as in set-up mode. */
  readonly box: boolean;
}

export interface Layout {
  readonly size: { readonly width: number; readonly height: number };
  readonly board: Rect;
  readonly hands: Readonly<Record<Color, Rect>>;
  readonly box: Rect | null;
  /** The upper left corners of the cells of a hand's pieces. */
  readonly slots: Readonly<Record<Color, Readonly<Record<HandKind, Point>>>>;
  readonly boxSlots: Readonly<Record<Kind, Point>> | null;
  /** The places of the names of the hands' owners, and of the box. */
  readonly labels: Readonly<Record<Color | 'box', Point>>;
}

export function layout(view: View): Layout {
  return view.narrow ? narrowLayout(view) : wideLayout(view);
}

function wideLayout(view: View): Layout {
  const board = { x: 100, y: 24, width: 360, height: 396 };
  const far = { x: 4, y: 20, width: 84, height: 202 };
  const near = { x: 486, y: 222, width: 84, height: 202 };
  const box = view.box ? { x: 4, y: 232, width: 84, height: 192 } : null;
  const [nearColor, farColor] = view.flipped ? (['white', 'black'] as const) : (['black', 'white'] as const);
  const hands = { [nearColor]: near, [farColor]: far } as Record<Color, Rect>;
  const slots = mapColors((color) => grid(HAND_KINDS, { x: hands[color].x + 2, y: hands[color].y + 24 }, 2));
  return {
    size: { width: 574, height: 432 },
    board,
    hands,
    box,
    slots,
    boxSlots: box && grid(KINDS, { x: box.x + 2, y: box.y + 14 }, 2),
    labels: { ...mapColors((color) => ({ x: hands[color].x + 42, y: hands[color].y + 16 })), box: { x: 46, y: 243 } },
  };
}

function narrowLayout(view: View): Layout {
  const board = { x: 4, y: 66, width: 360, height: 396 };
  const far = { x: 4, y: 0, width: 380, height: 46 };
  const near = { x: 4, y: 470, width: 380, height: 46 };
  const box = view.box ? { x: 4, y: 522, width: 380, height: 46 } : null;
  const [nearColor, farColor] = view.flipped ? (['white', 'black'] as const) : (['black', 'white'] as const);
  const hands = { [nearColor]: near, [farColor]: far } as Record<Color, Rect>;
  const row = (rect: Rect) => ({ x: rect.x + 56, y: rect.y + 1 });
  return {
    size: { width: 388, height: view.box ? 572 : 520 },
    board,
    hands,
    box,
    slots: mapColors((color) => grid(HAND_KINDS, row(hands[color]), 8)),
    boxSlots: box && grid(KINDS, row(box), 8),
    labels: {
      ...mapColors((color) => ({ x: hands[color].x + 28, y: hands[color].y + 28 })),
      box: { x: 32, y: 550 },
    },
  };
}

function mapColors<T>(make: (color: Color) => T): Record<Color, T> {
  return { black: make('black'), white: make('white') };
}

function grid<K extends string>(kinds: readonly K[], corner: Point, columns: number): Record<K, Point> {
  const slots = kinds.map((kind, index) => [
    kind,
    { x: corner.x + (index % columns) * CELL.width, y: corner.y + Math.floor(index / columns) * CELL.height },
  ]);
  return Object.fromEntries(slots) as Record<K, Point>;
}

/** The upper left corner of a square. */
export function corner(place: Layout, square: number, flipped: boolean): Point {
  const shown = flipped ? 80 - square : square;
  return {
    x: place.board.x + (shown % 9) * CELL.width,
    y: place.board.y + Math.floor(shown / 9) * CELL.height,
  };
}

function inside(rect: Rect, point: Point): boolean {
  return point.x >= rect.x && point.x < rect.x + rect.width && point.y >= rect.y && point.y < rect.y + rect.height;
}

/** The place under a point of the drawing: a square, a hand or the box. In a hand the kind is the slot's, or the first
 * one. */
export function placeAt(drawing: Layout, point: Point, flipped: boolean): Place | null {
  if (inside(drawing.board, point)) {
    const column = Math.floor((point.x - drawing.board.x) / CELL.width);
    const row = Math.floor((point.y - drawing.board.y) / CELL.height);
    const shown = row * 9 + column;
    return { at: 'board', square: flipped ? 80 - shown : shown };
  }
  for (const color of ['black', 'white'] as const) {
    if (inside(drawing.hands[color], point)) {
      return { at: 'hand', color, kind: slotAt(drawing.slots[color], point) ?? 'P' };
    }
  }
  if (drawing.box && drawing.boxSlots && inside(drawing.box, point)) {
    return { at: 'box', kind: slotAt(drawing.boxSlots, point) ?? 'P' };
  }
  return null;
}

function slotAt<K extends string>(slots: Readonly<Record<K, Point>>, point: Point): K | null {
  for (const kind of Object.keys(slots) as K[]) {
    if (inside({ ...slots[kind], ...CELL }, point)) return kind;
  }
  return null;
}

/** The colour at the lower edge, whose pieces point up. */
export function nearColor(flipped: boolean): Color {
  return flipped ? opponent('black') : 'black';
}
