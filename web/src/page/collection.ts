/** Games or positions that were opened together: they stay in a named list. */

import { type Game, newGame, playerName } from '../model/game.js';
import { fromModule } from '../model/record.js';
import { formatSfen, parseSfen } from '../model/sfen.js';
import type { Setup } from '../model/setup.js';
import { type Entry, entries } from '../model/zip.js';
import type { Module } from '../module.js';
import { DAMAGED } from '../work/failures.js';
import type { Session } from './session.js';

/** Larger files are not read as game records. */
export const LARGEST_GAME = 64 << 20;
/** The largest file of records that is unpacked from an archive, into memory. */
const LARGEST_RECORDS = 256 << 20;
/** The maximum number of games of a collection. */
const MAX_GAMES = 1000;
/** The extensions of game records, and of training records in an archive. */
const GAMES: readonly string[] = ['kif', 'kifu', 'ki2', 'ki2u', 'csa', 'jkf', 'json', 'usi', 'bod'];
const TEXTS: readonly string[] = ['txt'];

export const extensionOf = (name: string) => name.split('.').pop()!.toLowerCase();
export const isGameFile = (name: string) => GAMES.includes(extensionOf(name));

interface Item {
  readonly name: string;
  /** Its first position, if it is a game or a position. */
  readonly sfen: string | null;
  open(): void | Promise<void>;
}

/** What could not be read of an archive, and why. */
export interface Unread {
  readonly name: string;
  /** The sentence of the first fault; null if it is larger than the limit. */
  readonly why: { readonly en: string; readonly ja: string } | null;
}

export class Collection {
  /** The name of the file; null for pasted text. */
  readonly name: string | null;
  readonly items: readonly Item[];
  /** The item that was opened last. */
  current = 0;

  constructor(name: string | null, items: readonly Item[]) {
    this.name = name;
    this.items = items;
  }

  async open(index: number): Promise<void> {
    this.current = index;
    await this.items[index]?.open();
  }
}

/** The games of a file, by their players or numbers. */
export function collectionOf(games: readonly Game[], name: string | null, session: Session): Collection {
  return new Collection(name, games.slice(0, MAX_GAMES).map((game) => ({ name: titleOf(game), sfen: formatSfen(game.start), open: () => session.openGame(game) })));
}

export function positionsOf(setups: readonly Setup[], session: Session): Collection {
  return new Collection(null, setups.map((setup) => ({ name: formatSfen(setup), sfen: formatSfen(setup), open: () => session.openGame(newGame(setup)) })));
}

/** A game's players, or its title; empty if it has neither. */
export function titleOf(game: Game): string {
  const [black, white] = [playerName(game, 'black'), playerName(game, 'white')];
  if (black || white) return `☗${black ?? ''} ☖${white ?? ''}`;
  return game.header.find(([key, value]) => ['棋戦', '表題', '作品名'].includes(key) && value !== '')?.[1] ?? '';
}

/** The games and the files of records of a zip archive. */
export async function archiveOf(module: Module, archive: File, session: Session): Promise<{ readonly list: Collection | null; readonly unread: readonly Unread[] }> {
  const items: Item[] = [];
  const unread: Unread[] = [];
  for (const entry of (await entries(archive)) ?? []) {
    const extension = extensionOf(entry.name);
    if (isGameFile(entry.name) || TEXTS.includes(extension)) {
      const found = await gamesOf(module, entry);
      items.push(...found.games.map((game) => ({ name: [entry.name, titleOf(game)].filter(Boolean).join('  '), sfen: formatSfen(game.start), open: () => session.openGame(game) })));
      if (found.unread && !TEXTS.includes(extension)) unread.push(found.unread);
    } else items.push({ name: entry.name, sfen: null, open: () => openRecords(entry, session) });
    if (items.length >= MAX_GAMES) break;
  }
  // Files that are no records are reported when they are opened; games come first.
  return { list: items.length > 0 ? new Collection(archive.name, items) : null, unread };
}

async function gamesOf(module: Module, entry: Entry): Promise<{ readonly games: readonly Game[]; readonly unread: Unread | null }> {
  let bytes: Uint8Array | null;
  try {
    bytes = await entry.read(LARGEST_GAME);
  } catch {
    return { games: [], unread: { name: entry.name, why: DAMAGED.sentence } };
  }
  if (!bytes) return { games: [], unread: { name: entry.name, why: null } };
  const answer = module.parseFile({ extension: extensionOf(entry.name) }, bytes);
  if (answer.error) return { games: [], unread: { name: entry.name, why: answer.error.sentence } };
  const parsed = answer.ok;
  if (parsed.kind === 'position') return { games: [newGame(parseSfen(parsed.sfen)!)], unread: null };
  if (parsed.kind !== 'games') return { games: [], unread: null };
  const [fault] = parsed.faults;
  return {
    games: parsed.games.map(fromModule).filter((game) => game !== null),
    unread: fault ? { name: entry.name, why: fault.sentence } : null,
  };
}

/** Unpacks a file of an archive and shows it as a file of records. */
async function openRecords(entry: Entry, session: Session): Promise<void> {
  const bytes = await entry.read(LARGEST_RECORDS).catch(() => null);
  if (!bytes) {
    session.say(session.words.paste.unread([{ name: entry.name, why: null }]));
    return;
  }
  session.openRecords(new File([bytes], entry.name.split('/').pop()!));
}
