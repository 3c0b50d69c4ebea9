/** The page's address: what it shows, so that a link shows it again.
 *
 * The `+` trap: in a query `+` means a blank, and in an SFEN it promotes. `URLSearchParams` always reads the blank, so a
 * hand-written `?sfen=…+r…` loses its dragon. We read the raw query instead: first every `+` as a blank, and if that is
 * no SFEN, a `+` before a piece's letter as itself. What we write is unambiguous: `_` for blanks, `%2B` for promotion. */

import { formatSfen, parseSfen } from './sfen.js';
import type { Setup } from './setup.js';
import type { Game } from './game.js';
import { lineThrough, nodesAlong, parseMove } from './game.js';

export const TABS = ['board', 'moves', 'bits', 'solve', 'files'] as const;
export type Tab = (typeof TABS)[number];
export type Language = 'en' | 'ja';

export interface Address {
  readonly setup: Setup | null;
  /** Whether the address had a `sfen` that is no SFEN: the page says so rather than showing another board in silence. */
  readonly badSfen: string | null;
  readonly moves: readonly string[];
  readonly ply: number | null;
  readonly word: string | null;
  readonly format: string | null;
  readonly language: Language | null;
  readonly tab: Tab;
}

/** Reads an address's query (with or without `?`) and fragment (with or without `#`). */
export function readAddress(search: string, hash: string): Address {
  const fields = rawFields(search);
  const sfen = fields.get('sfen');
  const setup = sfen === undefined ? null : readSfen(sfen);
  const ply = decode(fields.get('ply') ?? '');
  const language = fields.get('lang');
  const fragment = hash.replace(/^#/, '');
  return {
    setup,
    badSfen: sfen !== undefined && !setup ? decode(sfen) : null,
    moves: decode(fields.get('moves') ?? '').split(/[,\s_]+/).filter((usi) => parseMove(usi) !== null),
    ply: /^\d+$/.test(ply) ? Number(ply) : null,
    word: fields.has('word') ? decode(fields.get('word')!) : null,
    format: fields.has('format') ? decode(fields.get('format')!) : null,
    language: language === 'ja' || language === 'en' ? language : null,
    tab: (TABS as readonly string[]).includes(fragment) ? (fragment as Tab) : 'board',
  };
}

function rawFields(search: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const field of search.replace(/^\?/, '').split('&')) {
    const at = field.indexOf('=');
    if (at > 0) fields.set(field.slice(0, at), field.slice(at + 1));
  }
  return fields;
}

function decode(raw: string): string {
  try {
    return decodeURIComponent(raw);
  } catch {
    // A lone `%` is no escape; the text is taken as it stands and fails, if it must, as what it should have been.
    return raw;
  }
}

function readSfen(raw: string): Setup | null {
  const withBlanks = parseSfen(decode(raw.replaceAll('+', ' ')).replaceAll('_', ' '));
  if (withBlanks) return withBlanks;
  // `+` before a letter that can promote, inside the board (before the first blank), is the piece's own.
  const literal = raw.replace(/\+(?=[PLNSBRplnsbr])/g, '%2B').replaceAll('+', ' ');
  return parseSfen(decode(literal).replaceAll('_', ' ')) ?? readBoardOnly(raw);
}

/** `… +b+` : the side `b` is a bishop's letter too. The board ends at the first `+` that a side and another `+` or blank
 * follow; only before it may `+` promote. */
function readBoardOnly(raw: string): Setup | null {
  const end = /(?:\+|%20|_)(?=[bw](?:\+|%20|_))/.exec(raw);
  if (!end) return null;
  const board = decode(raw.slice(0, end.index));
  const rest = decode(raw.slice(end.index).replaceAll('+', ' ')).replaceAll('_', ' ');
  return parseSfen(board + rest);
}

/** The query and fragment that show a game again: its start, the moves of its current line, and where in it we are. */
export function writeAddress(game: Game, tab: Tab, language: Language | null): string {
  const sfen = formatSfen(game.start).replaceAll('+', '%2B').replaceAll(' ', '_');
  let query = `?sfen=${sfen}`;
  const line = nodesAlong(game, lineThrough(game)).map((node) => node.usi.replace('+', '%2B'));
  if (line.length > 0) query += `&moves=${line.join(',')}`;
  if (line.length > 0 && game.path.length < line.length) query += `&ply=${game.path.length}`;
  if (language) query += `&lang=${language}`;
  return tab === 'board' ? query : `${query}#${tab}`;
}

/** The setup of an address that another site wrote for its editor or analysis, or null. */
export function readForeignLink(text: string): Setup | null {
  const match = /^https?:\/\/[^/\s]+\/(?:editor|analysis)\/(?:standard\/)?(?:SFEN_)?(\S+)$/.exec(text.trim());
  if (!match) return null;
  return parseSfen(decode(match[1]!).replaceAll('_', ' '));
}

