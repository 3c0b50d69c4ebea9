/** The board as a standalone picture: an SVG that contains its colours and the outlines of its characters, for a file, a PNG
 * or a small board beside a text. It needs no font. */

import { COLORS, HAND_KINDS, type Piece, colorOf, isPromoted, makePiece } from '../model/piece.js';
import { type Setup, handCount } from '../model/setup.js';
import { CELL, corner, layout, nearColor } from './geometry.js';
import { type Faces, type Mark, OUTLINE, faceMarks, mark, marks, scaleOf } from './pieces.js';

export interface PictureOptions {
  /** The names of the ranks; none are drawn without them. */
  readonly ranks: readonly string[];
  readonly faces: Faces;
  readonly flipped: boolean;
}

const INK = '#2a2019';

export function boardPicture(setup: Setup, options: PictureOptions): string {
  const place = layout({ narrow: false, flipped: options.flipped, box: false, names: false, hands: setup.hands });
  const near = nearColor(options.flipped);
  const { x, y, width, height } = place.board;
  const draw = (drawn: readonly Mark[], fill = INK) =>
    drawn.map(({ path, transform }) => `<path d="${path}" transform="${transform}" fill="${fill}"/>`).join('');
  const parts = [`<rect width="100%" height="100%" fill="#fcf9f2"/><rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#e6c285" stroke="#54401f" stroke-width="1.4"/>`];
  for (let line = 1; line < 9; line += 1) {
    parts.push(`<path d="M${x + line * CELL.width} ${y}v${height}M${x} ${y + line * CELL.height}h${width}" stroke="#54401f" stroke-width=".7"/>`);
  }
  for (let index = 0; index < 9; index += 1) {
    const file = options.flipped ? index + 1 : 9 - index;
    const rank = options.flipped ? 8 - index : index;
    parts.push(draw(marks(String(file), 13, x + index * CELL.width + 20, y - 9)));
    parts.push(draw([mark(options.ranks[rank]!, 12.5, x + width + 11, y + index * CELL.height + 22)]));
  }
  const outline = (drawn: Piece, atX: number, atY: number, scale: number, fill: string) => {
    const turn = colorOf(drawn) === near ? '' : 'rotate(180)';
    return `<g transform="translate(${atX} ${atY})${turn}scale(${scale})"><path d="${OUTLINE}" fill="${fill}" stroke="#8d6a35" stroke-width=".7"/>`;
  };
  const piece = (drawn: Piece, at: { x: number; y: number }) =>
    `${outline(drawn, at.x + 20, at.y + 22, scaleOf(drawn), '#f8e2b4')}${draw(faceMarks(drawn, options.faces), isPromoted(drawn) ? '#a8281a' : '#22190f')}</g>`;
  setup.board.forEach((standing, square) => {
    if (standing) parts.push(piece(standing, corner(place, square, options.flipped)));
  });
  for (const color of COLORS) {
    const label = place.labels[color];
    // Each hand has its owner's piece, filled for Black; the side to move is underlined.
    parts.push(`${outline(makePiece('P', color), label.x, label.y, 0.42, color === 'black' ? INK : '#fcf9f2')}</g>`);
    if (setup.side === color) parts.push(`<path d="M${label.x - 14} ${label.y + 10}h28" stroke="#9c3220" stroke-width="2"/>`);
    for (const kind of HAND_KINDS) {
      const at = place.slots[color][kind];
      const count = handCount(setup, color, kind);
      if (count > 0 && at) parts.push(piece(makePiece(kind, color), at));
      if (count > 1 && at) parts.push(`<g stroke="#fcf9f2" stroke-width="40" paint-order="stroke">${draw(marks(String(count), 15, at.x + 35, at.y + 38))}</g>`);
    }
  }
  const { size } = place;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}">${parts.join('')}</svg>`;
}

/** The picture as an address, for an image. */
export function pictureAddress(setup: Setup, options: PictureOptions): string {
  return `data:image/svg+xml,${encodeURIComponent(boardPicture(setup, options))}`;
}
