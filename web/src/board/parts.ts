/** Parts of the board that do not depend on its state. */

import { svg, type TemplateResult } from 'lit';
import type { Place } from '../model/setup.js';
import { CELL, type Point, type Rect } from './geometry.js';
import { drawMarks, mark, marks } from './pieces.js';

/** The squares' lines and, with the names of the ranks, the coordinates. */
export function drawGrid({ x, y, width, height }: Rect, flipped: boolean, ranks: readonly string[] | null): TemplateResult {
  const lines = [1, 2, 3, 4, 5, 6, 7, 8];
  const figures = ranks === null ? [] : lines.concat(9).flatMap((number) => {
    const column = flipped ? number - 1 : 9 - number;
    const row = flipped ? 9 - number : number - 1;
    return [...marks(String(number), 13, x + column * CELL.width + 20, y - 9), mark(ranks[number - 1]!, 12.5, x + width + 11, y + row * CELL.height + 22)];
  });
  return svg`<g aria-hidden="true">
    <rect class="frame" x=${x - 3} y=${y - 3} width=${width + 6} height=${height + 6} rx="2"></rect>
    <g class="label">${drawMarks(figures)}</g>
    ${lines.map((n) => svg`<path class="line" d="M${x + n * CELL.width} ${y}v${height}M${x} ${y + n * CELL.height}h${width}"></path>`)}
    <rect class="border" x=${x} y=${y} width=${width} height=${height}></rect>
    ${[3, 6].map((column) => [3, 6].map((row) => svg`<circle class="star" r="2.2" cx=${x + column * CELL.width} cy=${y + row * CELL.height}></circle>`))}
  </g>`;
}

export function center(at: Point): Point {
  return { x: at.x + CELL.width / 2, y: at.y + CELL.height / 2 };
}

/** The beginning of a text, in half the width of kanji. */
export function clipped(text: string, width: number): string {
  let used = 0;
  for (const [index, character] of [...text].entries()) {
    used += character.charCodeAt(0) < 0x1100 ? 1 : 2;
    if (used > width) return `${[...text].slice(0, index).join('')}…`;
  }
  return text;
}

export function samePlace(one: Place, other: Place): boolean {
  if (one.at === 'board' && other.at === 'board') return one.square === other.square;
  if (one.at === 'hand' && other.at === 'hand') return one.color === other.color && one.kind === other.kind;
  return one.at === 'box' && other.at === 'box' && one.kind === other.kind;
}
