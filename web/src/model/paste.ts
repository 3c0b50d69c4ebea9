/** Pasted texts that the page itself tells apart, before the rules module reads them. */

import { parseMove } from './game.js';
import { parseSfen } from './sfen.js';
import type { Setup } from './setup.js';

export type Paste =
  /** An address of this page, or of another one with `?sfen=`: its query and its fragment. */
  | { readonly query: string; readonly fragment: string }
  /** Several positions; one more than a list holds if there are more. */
  | { readonly setups: readonly Setup[] }
  /** Any other text, in a form that the module reads. */
  | { readonly text: string };

/** The maximum number of games or positions of a list. */
export const LONGEST_LIST = 1000;
const BOARD = /^[+\dPLNSGBRKplnsgbrk]+(?:\/[+\dPLNSGBRKplnsgbrk]+){8}$/;
const HEX = /^(?:0x)?[\da-f]+(?:[\s:,]+(?:0x)?[\da-f]+)+$/i;

export function readPaste(source: string): Paste {
  const text = source.trim();
  const address = /^https?:\/\/[^\s?#]+(\?[^\s#]*)?(#\S*)?$/.exec(text);
  const [query, fragment] = [address?.[1] ?? '', address?.[2] ?? ''];
  if (/[?&](?:sfen|word)=/.test(query) || /&game=/.test(fragment)) return { query, fragment };
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const setups = lines.length > 1 ? lines.slice(0, LONGEST_LIST + 1).map(setupOfLine) : [];
  if (setups.length > 1 && setups.every((setup) => setup !== null)) return { setups };
  return { text: completed(text) };
}

/** The position of a line: an SFEN, perhaps with other columns after it. */
function setupOfLine(line: string): Setup | null {
  return parseSfen(completed(line.replace(/\t.*$/s, '').replace(/^position /, '')));
}

/** A text with the parts that people leave out of it: an SFEN without side and hands, moves without their start, and hex
 * digits in groups. */
function completed(text: string): string {
  const words = text.split(/\s+/);
  const [board, side] = words[0] === 'sfen' ? words.slice(1) : words;
  if (words.length <= 3 && board !== undefined && BOARD.test(board)) {
    if (side === undefined) return `${board} b -`;
    if (/^[bw]$/.test(side) && words.at(-1) === side) return `${board} ${side} -`;
  }
  if (words.every((word) => parseMove(word) !== null)) return `startpos moves ${words.join(' ')}`;
  if (HEX.test(text)) return text.replace(/[\s:,]+|0x/gi, '');
  return text;
}

/** Decodes text as UTF-8 or, if it is not valid, as EUC-JP or CP932. */
export function decodeText(raw: Uint8Array): string {
  for (const label of ['utf-8', 'euc-jp']) {
    try {
      return new TextDecoder(label, { fatal: true }).decode(raw);
    } catch {
      // The bytes are in another encoding.
    }
  }
  return new TextDecoder('shift_jis').decode(raw);
}
