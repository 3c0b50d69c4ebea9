/** The board as a standalone picture: an SVG that contains its colours and the outlines of its characters, for a file, a PNG
 * or a small board beside a text. It needs no font. `komabako-picture` draws the same in Rust. */

import { COLORS, HAND_KINDS, type Piece, colorOf, isPromoted, makePiece } from '../model/piece.js';
import { type Setup, handCount } from '../model/setup.js';
import { CELL, corner, layout, nearColor } from './geometry.js';
import { type Faces, type Mark, OUTLINE, face, faceMarks, mark, marks, scaleOf } from './pieces.js';

/** A wooden board with wooden pieces, or characters alone in black on white, as books print them. */
export type Style = 'board' | 'book';

interface Palette {
  readonly paper: string;
  readonly board: string;
  readonly lines: string;
  readonly ink: string;
  /** The colour of a piece; null if only its character is drawn. */
  readonly wood: string | null;
  readonly edge: string;
  readonly unpromoted: string;
  readonly promoted: string;
  readonly sideToMove: string;
}

const PALETTES: Readonly<Record<Style, Palette>> = {
  board: {
    paper: '#fcf9f2', board: '#e6c285', lines: '#54401f', ink: '#2a2019', wood: '#f8e2b4', edge: '#8d6a35', unpromoted: '#22190f', promoted: '#a8281a',
    sideToMove: '#9c3220',
  },
  book: { paper: '#fff', board: '#fff', lines: '#000', ink: '#000', wood: null, edge: '#000', unpromoted: '#000', promoted: '#000', sideToMove: '#000' },
};

export interface PictureOptions {
  /** The names of the ranks; none are drawn without them. */
  readonly ranks: readonly string[];
  readonly faces: Faces;
  readonly flipped: boolean;
}

export function boardPicture(setup: Setup, options: PictureOptions, style: Style = 'board'): string {
  const { paper, board, lines, ink, wood, edge, unpromoted, promoted, sideToMove } = PALETTES[style];
  const place = layout({ narrow: false, flipped: options.flipped, box: false, names: false, hands: setup.hands });
  const near = nearColor(options.flipped);
  const { x, y, width, height } = place.board;
  const draw = (drawn: readonly Mark[], fill = ink) =>
    drawn.map(({ path, transform }) => `<path d="${path}" transform="${transform}" fill="${fill}"/>`).join('');
  const parts = [`<rect width="100%" height="100%" fill="${paper}"/><rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${board}" stroke="${lines}" stroke-width="1.4"/>`];
  for (let line = 1; line < 9; line += 1) {
    parts.push(`<path d="M${x + line * CELL.width} ${y}v${height}M${x} ${y + line * CELL.height}h${width}" stroke="${lines}" stroke-width=".7"/>`);
  }
  for (let index = 0; index < 9; index += 1) {
    const file = options.flipped ? index + 1 : 9 - index;
    const rank = options.flipped ? 8 - index : index;
    parts.push(draw(marks(String(file), 13, x + index * CELL.width + 20, y - 9)));
    parts.push(draw([mark(options.ranks[rank]!, 12.5, x + width + 11, y + index * CELL.height + 22)]));
  }
  const turn = (drawn: Piece) => (colorOf(drawn) === near ? '' : 'rotate(180)');
  const outline = (drawn: Piece, atX: number, atY: number, scale: number, fill: string) =>
    `<g transform="translate(${atX} ${atY})${turn(drawn)}scale(${scale})"><path d="${OUTLINE}" fill="${fill}" stroke="${edge}" stroke-width=".7"/>`;
  const piece = (drawn: Piece, at: { x: number; y: number }) => {
    const [middleX, middleY] = [at.x + 20, at.y + 22];
    const fill = isPromoted(drawn) ? promoted : unpromoted;
    if (wood !== null) return `${outline(drawn, middleX, middleY, scaleOf(drawn), wood)}${draw(faceMarks(drawn, options.faces), fill)}</g>`;
    const bare = options.faces === 'letters' ? faceMarks(drawn, 'letters') : [mark(face(drawn, 'one'), 32, 0, 0)];
    return `<g transform="translate(${middleX} ${middleY})${turn(drawn)}">${draw(bare, fill)}</g>`;
  };
  setup.board.forEach((standing, square) => {
    if (standing) parts.push(piece(standing, corner(place, square, options.flipped)));
  });
  for (const color of COLORS) {
    const label = place.labels[color];
    // Each hand has its owner's piece, filled for Black; the side to move is underlined.
    parts.push(`${outline(makePiece('P', color), label.x, label.y, 0.42, color === 'black' ? ink : paper)}</g>`);
    if (setup.side === color) parts.push(`<path d="M${label.x - 14} ${label.y + 10}h28" stroke="${sideToMove}" stroke-width="2"/>`);
    for (const kind of HAND_KINDS) {
      const at = place.slots[color][kind];
      const count = handCount(setup, color, kind);
      if (count > 0 && at) parts.push(piece(makePiece(kind, color), at));
      if (count > 1 && at) parts.push(`<g stroke="${paper}" stroke-width="40" paint-order="stroke">${draw(marks(String(count), 15, at.x + 35, at.y + 38))}</g>`);
    }
  }
  const { size } = place;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}">${parts.join('')}</svg>`;
}

/** The picture as an address, for an image. */
export function pictureAddress(setup: Setup, options: PictureOptions): string {
  return `data:image/svg+xml,${encodeURIComponent(boardPicture(setup, options))}`;
}
