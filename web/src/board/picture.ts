/** The board as a standalone picture: an SVG that contains its colours, for a file or a PNG. */

import { COLORS, HAND_KINDS, type Piece, colorOf, isPromoted, makePiece } from '../model/piece.js';
import { type Setup, handCount } from '../model/setup.js';
import type { Words } from '../words/index.js';
import { CELL, corner, layout, nearColor, type Point } from './geometry.js';
import { OUTLINE, glyph, scaleOf } from './pieces.js';

export interface PictureOptions {
  readonly words: Words;
  readonly letters: boolean;
  readonly flipped: boolean;
}

const FONT = "'Noto Serif JP','Noto Serif CJK JP','Hiragino Mincho ProN','Yu Mincho',serif";

export function boardPicture(setup: Setup, options: PictureOptions): string {
  const place = layout({ narrow: false, flipped: options.flipped, box: false });
  const near = nearColor(options.flipped);
  const { x, y, width, height } = place.board;
  const parts = [`<rect width="100%" height="100%" fill="#fcf9f2"/><rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#e6c285" stroke="#54401f" stroke-width="1.4"/>`];
  for (let line = 1; line < 9; line += 1) {
    parts.push(`<path d="M${x + line * CELL.width} ${y}v${height}M${x} ${y + line * CELL.height}h${width}" stroke="#54401f" stroke-width=".7"/>`);
  }
  const text = (at: Point, size: number, content: string, fill = '#2a2019') =>
    `<text x="${at.x}" y="${at.y}" font-size="${size}" fill="${fill}" text-anchor="middle" font-family="${FONT}">${content}</text>`;
  for (let index = 0; index < 9; index += 1) {
    const file = options.flipped ? index + 1 : 9 - index;
    const rank = options.flipped ? 8 - index : index;
    parts.push(text({ x: x + index * CELL.width + 20, y: y - 7 }, 11, String(file)));
    parts.push(text({ x: x + width + 12, y: y + index * CELL.height + 26 }, 11, options.words.ranks[rank]!));
  }
  const piece = (drawn: Piece, at: Point) => {
    const turn = colorOf(drawn) === near ? '' : ' rotate(180)';
    const size = options.letters ? (drawn.length > 1 ? 15.5 : 22) : 23;
    return `<g transform="translate(${at.x + 20} ${at.y + 22})${turn} scale(${scaleOf(drawn)})"><path d="${OUTLINE}" fill="#f8e2b4" stroke="#8d6a35" stroke-width=".7"/>
      <g font-weight="700">${text({ x: 0, y: 8.6 }, size, glyph(drawn, options.letters), isPromoted(drawn) ? '#a8281a' : '#22190f')}</g></g>`;
  };
  setup.board.forEach((standing, square) => {
    if (standing) parts.push(piece(standing, corner(place, square, options.flipped)));
  });
  for (const color of COLORS) {
    parts.push(text(place.labels[color], 12, options.words.ownerMark(color)));
    for (const kind of HAND_KINDS) {
      const count = handCount(setup, color, kind);
      const at = place.slots[color][kind];
      if (count > 0) parts.push(piece(makePiece(kind, color), at));
      if (count > 1) parts.push(text({ x: at.x + 35, y: at.y + 42 }, 12, String(count)));
    }
  }
  const { size } = place;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}">${parts.join('')}</svg>`;
}
