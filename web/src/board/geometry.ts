/** The layout of the drawing, in its own units: a square is 40 × 44, as on a real board.
 *
 * There are two layouts rather than one that is scaled. Wide: a column for each hand beside the board, and one more for the
 * box. Narrow (a phone): hands above and below, seven in a row, so that at 400 px a square is still 40 px wide. In play a
 * hand's pieces are packed; in set-up mode every kind has its slot. */

import { HAND_KINDS, KINDS, type Color, type HandKind, type Kind, opponent } from '../model/piece.js';
import type { Hand, Place } from '../model/setup.js';

export const CELL = { width: 40, height: 44 } as const;
const STAND = { width: 44, height: 22 + 7 * CELL.height } as const;
/** The width of the strip beside a hand for its owner's name. */
const STRIP = 15;

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
  /** Whether there is room for the players' names. */
  readonly names: boolean;
  readonly hands: Readonly<Record<Color, Hand>>;
}

type Slots<K extends string> = Readonly<Partial<Record<K, Point>>>;

export interface Layout {
  readonly size: { readonly width: number; readonly height: number };
  readonly board: Rect;
  readonly hands: Readonly<Record<Color, Rect>>;
  readonly box: Rect | null;
  /** The upper left corners of the cells of a hand's pieces. */
  readonly slots: Readonly<Record<Color, Slots<HandKind>>>;
  readonly boxSlots: Slots<Kind> | null;
  /** The places of the marks of the hands' owners, and of the name of the box. */
  readonly labels: Readonly<Record<Color | 'box', Point>>;
  /** The starts of the owners' names: beside the hand and downwards, or on a phone below the mark. */
  readonly names: Readonly<Record<Color, Point>>;
}

export function layout(view: View): Layout {
  return view.narrow ? narrowLayout(view) : wideLayout(view);
}

/** The kinds that a hand shows. */
function kindsOf(view: View, color: Color): readonly HandKind[] {
  return view.box ? HAND_KINDS : HAND_KINDS.filter((kind) => view.hands[color][kind] > 0);
}

function wideLayout(view: View): Layout {
  const strip = view.names ? STRIP : 0;
  const board = { x: 2 + strip + STAND.width + 8, y: 20, width: 360, height: 396 };
  const far = { x: 2 + strip, y: board.y, ...STAND };
  const near = { x: board.x + board.width + 20, y: board.y + board.height - STAND.height, ...STAND };
  const right = near.x + STAND.width + strip;
  const box = view.box ? { x: right + 6, y: board.y, width: STAND.width, height: board.height } : null;
  const hands = handsOf(view, near, far);
  const label = ({ x, y }: Rect) => ({ x: x + STAND.width / 2, y: y + 12 });
  return {
    size: { width: (box ? box.x + box.width : right) + 2, height: board.y + board.height + 6 },
    board,
    hands,
    box,
    slots: mapColors((color) => grid(kindsOf(view, color), { x: hands[color].x + 2, y: hands[color].y + 22 }, 1)),
    boxSlots: box && grid(KINDS, { x: box.x + 2, y: box.y + 30 }, 1),
    labels: { ...mapColors((color) => label(hands[color])), box: box ? { x: box.x + STAND.width / 2, y: box.y + 19 } : label(near) },
    names: mapColors((color) => ({ x: hands[color] === near ? near.x + STAND.width + STRIP / 2 + 1 : far.x - STRIP / 2 - 1, y: hands[color].y + 4 })),
  };
}

function narrowLayout(view: View): Layout {
  const board = { x: 4, y: 66, width: 360, height: 396 };
  const far = { x: 4, y: 0, width: 380, height: 46 };
  const near = { x: 4, y: 470, width: 380, height: 46 };
  const box = view.box ? { x: 4, y: 522, width: 380, height: 46 } : null;
  const hands = handsOf(view, near, far);
  const row = (rect: Rect) => ({ x: rect.x + 56, y: rect.y + 1 });
  return {
    size: { width: 388, height: view.box ? 572 : 520 },
    board,
    hands,
    box,
    slots: mapColors((color) => grid(kindsOf(view, color), row(hands[color]), 8)),
    boxSlots: box && grid(KINDS, row(box), 8),
    labels: {
      ...mapColors((color) => ({ x: hands[color].x + 28, y: hands[color].y + (view.names ? 15 : 24) })),
      box: { x: 32, y: 550 },
    },
    names: mapColors((color) => ({ x: hands[color].x + 28, y: hands[color].y + 38 })),
  };
}

function handsOf(view: View, near: Rect, far: Rect): Record<Color, Rect> {
  return view.flipped ? { white: near, black: far } : { black: near, white: far };
}

function mapColors<T>(make: (color: Color) => T): Record<Color, T> {
  return { black: make('black'), white: make('white') };
}

function grid<K extends string>(kinds: readonly K[], corner: Point, columns: number): Slots<K> {
  const slots = kinds.map((kind, index) => [
    kind,
    { x: corner.x + (index % columns) * CELL.width, y: corner.y + Math.floor(index / columns) * CELL.height },
  ]);
  return Object.fromEntries(slots) as Slots<K>;
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

function slotAt<K extends string>(slots: Slots<K>, point: Point): K | null {
  for (const kind of Object.keys(slots) as K[]) {
    if (inside({ ...slots[kind]!, ...CELL }, point)) return kind;
  }
  return null;
}

/** The colour at the lower edge, whose pieces point up. */
export function nearColor(flipped: boolean): Color {
  return flipped ? opponent('black') : 'black';
}
