/** The drawing of a piece: our own outline, and a character on it. */

import { svg, type TemplateResult } from 'lit';
import { type Color, type Kind, type Piece, colorOf, isPromoted, kindOf, makePiece } from '../model/piece.js';

/** A piece's outline around (0, 0), pointing up. */
export const OUTLINE = 'M0-18.5 11.5-13.8 15.6 18.2H-15.6L-11.5-13.8Z';

/** The relative size of each kind: kings are larger, as on a real board. */
const SCALE: Readonly<Record<Kind, number>> = { K: 1.06, R: 1.03, B: 1.03, G: 1, S: 1, N: 0.97, L: 0.97, P: 0.93 };

const KANJI: Readonly<Record<string, string>> = {
  P: '歩', L: '香', N: '桂', S: '銀', G: '金', B: '角', R: '飛', K: '玉',
  '+P': 'と', '+L': '杏', '+N': '圭', '+S': '全', '+B': '馬', '+R': '龍',
};

/** The character of a piece. White's king is 王 and Black's 玉, because the stronger player takes 王. */
export function glyph(piece: Piece, letters: boolean): string {
  const upper = piece.toUpperCase();
  if (letters) return upper;
  return piece === 'k' ? '王' : KANJI[upper]!;
}

export function scaleOf(piece: Piece): number {
  return SCALE[kindOf(piece)];
}

/** Draws a piece around the origin; it points up if its colour is `near`. */
export function drawPiece(piece: Piece, near: Color, letters: boolean): TemplateResult {
  const turn = colorOf(piece) === near ? '' : 'rotate(180) ';
  const text = glyph(piece, letters);
  return svg`<g class=${isPromoted(piece) ? 'piece promoted' : 'piece'} transform="${turn}scale(${scaleOf(piece)})">
    <path class="shadow" d=${OUTLINE} transform="translate(${turn ? '-0.8 -1.2' : '0.8 1.2'})"></path>
    <path class="wood" d=${OUTLINE}></path>
    <text y=${letters ? 8 : 9.4} class=${letters ? `letters n${text.length}` : 'kanji'}>${text}</text>
  </g>`;
}

/** Draws a piece of the box, where pieces have no colour. */
export function drawKind(kind: Kind, near: Color, letters: boolean): TemplateResult {
  return drawPiece(makePiece(kind, near), near, letters);
}
