/** The page's address, which contains its state, so that a link restores it.
 *
 * A pitfall is `+`: in a query it means a blank, and in an SFEN promotion. `URLSearchParams` always reads a blank, so a
 * handwritten `?sfen=…+r…` loses its dragon. We parse the raw query instead: first with every `+` as a blank, and if that
 * is not an SFEN, with a `+` before a piece's letter as itself. Our own addresses are unambiguous: `_` for blanks, `%2B`
 * for promotion. */

import { START_SFEN, formatSfen, parseSfen } from './sfen.js';
import type { Setup } from './setup.js';
import { type Game, type Path, goToPly, lineThrough, newGame, nodesAlong, parseMove, playMoves } from './game.js';

export const TABS = ['board', 'moves', 'bits', 'solve', 'files'] as const;
export type Tab = (typeof TABS)[number];
/** The fragment of a problem to be solved by the reader, in the tab of mates. */
export const READER = 'tsume';
export type Language = 'en' | 'ja';

/** The maximum number of first children that a path of an address counts at once. */
const LONGEST_PATH = 10_000;

export interface Address {
  readonly setup: Setup | null;
  /** The `sfen` of the address if it is not an SFEN, or its first move that is none: the page reports it instead of silently showing
   * another board. */
  readonly bad: string | null;
  /** The moves before it. */
  readonly moves: readonly string[];
  readonly ply: number | null;
  readonly word: string | null;
  readonly format: string | null;
  readonly language: Language | null;
  readonly tab: Tab;
  /** Whether the reader is asked to solve the position: the fragment is `#tsume`. */
  readonly reads: boolean;
  /** The packed game with its variations, comments and names, and the place in it: see `writeAddress`. */
  readonly game: string | null;
  readonly path: Path;
}

/** Reads an address's query (with or without `?`) and fragment (with or without `#`). */
export function readAddress(search: string, hash: string): Address {
  const fields = rawFields(search);
  const sfen = fields.get('sfen');
  const setup = sfen === undefined ? null : readSfen(sfen);
  const badSfen = sfen !== undefined && !setup ? decode(sfen) : null;
  const moves = decode(fields.get('moves') ?? '').split(/[,\s_]+/).filter(Boolean);
  const badMove = moves.findIndex((usi) => !parseMove(usi));
  const ply = decode(fields.get('ply') ?? '');
  const language = fields.get('lang');
  const [fragment, ...parts] = hash.replace(/^#/, '').split('&');
  return {
    setup,
    bad: badSfen ?? moves[badMove] ?? null,
    moves: badSfen !== null ? [] : badMove < 0 ? moves : moves.slice(0, badMove),
    ply: /^\d+$/.test(ply) ? Number(ply) : null,
    word: fields.has('word') ? decode(fields.get('word')!) : null,
    format: fields.has('format') ? decode(fields.get('format')!) : null,
    language: language === 'ja' || language === 'en' ? language : null,
    tab: fragment === READER ? 'solve' : (TABS as readonly string[]).includes(fragment!) ? (fragment as Tab) : 'board',
    reads: fragment === READER,
    game: partOf(parts, 'game'),
    path: readPath(partOf(parts, 'at') ?? ''),
  };
}

const partOf = (parts: readonly string[], name: string) => parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;

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
    // A lone `%` is not an escape. The raw text is used, and its parser reports any fault.
    return raw;
  }
}

function readSfen(raw: string): Setup | null {
  const withBlanks = parseSfen(decode(raw.replaceAll('+', ' ')).replaceAll('_', ' '));
  if (withBlanks) return withBlanks;
  // A `+` before a letter that can promote, within the board (before the first blank), belongs to the piece.
  const literal = raw.replace(/\+(?=[PLNSBRplnsbr])/g, '%2B').replaceAll('+', ' ');
  return parseSfen(decode(literal).replaceAll('_', ' ')) ?? readBoardOnly(raw);
}

/** Handles `… +b+`, where the side `b` is also a bishop's letter. The board ends at the first `+` that is followed by a
 * side and another `+` or blank; `+` means promotion only before it. */
function readBoardOnly(raw: string): Setup | null {
  const end = /(?:\+|%20|_)(?=[bw](?:\+|%20|_))/.exec(raw);
  if (!end) return null;
  const board = decode(raw.slice(0, end.index));
  const rest = decode(raw.slice(end.index).replaceAll('+', ' ')).replaceAll('_', ' ');
  return parseSfen(board + rest);
}

/** The query and fragment that restore a game: its start, the moves of its current line, and the place in it. A fragment
 * with the whole game, packed, adds what a line of moves does not have. */
export function writeAddress(game: Game, tab: Tab | typeof READER, language: Language | null, packed: string | null = null): string {
  const sfen = formatSfen(game.start).replaceAll('+', '%2B').replaceAll(' ', '_');
  let query = `?sfen=${sfen}`;
  const line = nodesAlong(game, lineThrough(game)).map((node) => node.usi.replace('+', '%2B'));
  if (line.length > 0) query += `&moves=${line.join(',')}`;
  if (line.length > 0 && game.path.length < line.length) query += `&ply=${game.path.length}`;
  if (language) query += `&lang=${language}`;
  if (packed !== null) return `${query}#${tab}&at=${writePath(game.path)}&game=${packed}`;
  return tab === 'board' ? query : `${query}#${tab}`;
}

/** A path as counts of first children and, between them, the numbers of others: `12.1.3` is twelve first children, the
 * second child, and three first children. */
export function writePath(path: Path): string {
  const parts = [0];
  for (const index of path) {
    if (index === 0) parts[parts.length - 1]! += 1;
    else parts.push(index, 0);
  }
  return parts.join('.');
}

export function readPath(text: string): Path {
  if (!/^\d{1,5}(?:\.\d{1,5})*$/.test(text)) return [];
  const parts = text.split('.').map(Number);
  return parts.flatMap((part, index) => (index % 2 === 0 ? Array<number>(Math.min(part, LONGEST_PATH)).fill(0) : [part]));
}

/** The setup in another site's link to its editor or analysis, or null. */
export function readForeignLink(text: string): Setup | null {
  const match = /^https?:\/\/[^/\s]+\/(?:editor|analysis)\/(?:standard\/)?(?:SFEN_)?(\S+)$/.exec(text.trim());
  if (!match) return null;
  return parseSfen(decode(match[1]!).replaceAll('_', ' '));
}

/** The game of an address, whose moves are not checked yet. */
export function gameOf(address: Address): Game {
  const game = playMoves(newGame(address.setup ?? parseSfen(START_SFEN)!), address.moves.map((usi) => ({ usi })));
  return address.ply === null ? game : goToPly(game, address.ply);
}
