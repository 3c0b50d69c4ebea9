/** The drawing of a piece: our own outline, and the outlines of its characters. */

import { svg, type TemplateResult } from 'lit';
import { type Color, type Kind, type Piece, colorOf, isPromoted, kindOf, makePiece } from '../model/piece.js';
import { EM, GLYPHS } from './glyphs.js';

/** The text on the pieces: one kanji, two kanji, or a letter. */
export const FACES = ['one', 'two', 'letters'] as const;
export type Faces = (typeof FACES)[number];

/** A piece's outline around (0, 0), pointing up. */
export const OUTLINE = 'M0-19.5 12.3-14.6 16.8 18.6H-16.8L-12.3-14.6Z';

/** The relative size of each kind: kings are larger, as on a real board. */
const SCALE: Readonly<Record<Kind, number>> = { K: 1.06, R: 1.03, B: 1.03, G: 1, S: 1, N: 0.97, L: 0.97, P: 0.93 };

const ONE: Readonly<Record<string, string>> = {
  P: '歩', L: '香', N: '桂', S: '銀', G: '金', B: '角', R: '飛', K: '玉',
  '+P': 'と', '+L': '杏', '+N': '圭', '+S': '全', '+B': '馬', '+R': '龍',
};
const TWO: Readonly<Record<string, string>> = {
  P: '歩兵', L: '香車', N: '桂馬', S: '銀将', G: '金将', B: '角行', R: '飛車', K: '玉将',
  '+P': 'と金', '+L': '成香', '+N': '成桂', '+S': '成銀', '+B': '龍馬', '+R': '龍王',
};

/** The text of a piece. White's king is 王 and Black's 玉, because the stronger player takes 王. */
export function face(piece: Piece, faces: Faces): string {
  const upper = piece.toUpperCase();
  if (faces === 'letters') return upper;
  const text = (faces === 'two' ? TWO : ONE)[upper]!;
  return piece === 'k' ? text.replace('玉', '王') : text;
}

/** A character's outline, and where it is drawn. */
export interface Mark {
  readonly path: string;
  readonly transform: string;
}

/** A character of a size around a point. */
export function mark(character: string, size: number, x: number, y: number, stretch = 1): Mark {
  const scale = size / EM;
  return { path: GLYPHS[character] ?? '', transform: `translate(${round(x)} ${round(y)})scale(${round(scale)} ${round(scale * stretch)})` };
}

const round = (value: number) => Math.round(value * 1000) / 1000;

/** A line of characters around a point, such as the count of a stack. */
export function marks(text: string, size: number, x: number, y: number): Mark[] {
  const step = size * 0.56;
  return [...text].map((character, index) => mark(character, size, x + (index - (text.length - 1) / 2) * step, y));
}

/** The characters on a piece. */
export function faceMarks(piece: Piece, faces: Faces): Mark[] {
  const text = face(piece, faces);
  if (faces === 'letters') return marks(text, text.length > 1 ? 21 : 25, 0, 2.6);
  const [upper, lower] = text;
  return lower ? [mark(upper!, 17, 0, -6.4, 0.92), mark(lower, 17, 0, 9.6, 0.92)] : [mark(upper!, 26.2, 0, 2.4)];
}

export function scaleOf(piece: Piece): number {
  return SCALE[kindOf(piece)];
}

/** Draws a piece around the origin; it points up if its colour is `near`. */
export function drawPiece(piece: Piece, near: Color, faces: Faces): TemplateResult {
  const turn = colorOf(piece) === near ? '' : 'rotate(180) ';
  return svg`<g class=${isPromoted(piece) ? 'piece promoted' : 'piece'} transform="${turn}scale(${scaleOf(piece)})">
    <path class="shadow" d=${OUTLINE} transform="translate(${turn ? '-0.8 -1.2' : '0.8 1.2'})"></path>
    <path class="wood" d=${OUTLINE}></path>
    ${drawMarks(faceMarks(piece, faces))}
  </g>`;
}

/** Draws a piece of the box, where pieces have no colour. */
export function drawKind(kind: Kind, near: Color, faces: Faces): TemplateResult {
  return drawPiece(makePiece(kind, near), near, faces);
}

export function drawMarks(drawn: readonly Mark[]): TemplateResult[] {
  return drawn.map(({ path, transform }) => svg`<path class="glyph" d=${path} transform=${transform}></path>`);
}
