/** Games or positions that were opened together: they stay in a named list. */

import { type Game, isSameRecord, newGame, playerName } from '../model/game.js';
import { LONGEST_LIST } from '../model/paste.js';
import { fromModule } from '../model/record.js';
import { formatSfen, parseSfen } from '../model/sfen.js';
import type { Setup } from '../model/setup.js';
import { type Entry, Unsupported, entries } from '../model/zip.js';
import type { Module } from '../module.js';
import { DAMAGED, UNSUPPORTED } from '../work/failures.js';
import { Task } from '../work/task.js';
import type { Row } from './problem-list.js';
import type { Session } from './session.js';

/** Larger files are not read as game records. */
export const LARGEST_GAME = 64 << 20;
/** The largest file of records that is unpacked from an archive, into memory. */
const LARGEST_RECORDS = 256 << 20;
/** The extensions of game records, and of training records in an archive. */
const GAMES: readonly string[] = ['kif', 'kifu', 'ki2', 'ki2u', 'csa', 'jkf', 'json', 'usi', 'bod'];

export const extensionOf = (name: string) => name.split('.').pop()!.toLowerCase();
/** macOS puts a file `._NAME` of what it knows about each file into archives. */
const isOfMacos = (name: string) => /(^|\/)\._[^/]*$/.test(name);
export const isGameFile = (name: string) => GAMES.includes(extensionOf(name));

interface Item {
  readonly name: string;
  /** Its game, as it was opened and as the visitor left it. */
  readonly opened?: Game;
  game?: Game;
  /** Opens a file of records. */
  readonly open?: () => Promise<void>;
}

const itemOf = (game: Game, name: string): Item => ({ name, opened: game, game });

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
  /** Whether there were more than the list holds. */
  readonly isCut: boolean;
  /** The item that was opened last. */
  current = 0;
  /** The number of the first item, in `Game.item`: no other list in this tab of the browser has it. */
  first = Date.now() * LONGEST_LIST;
  /** The solution of its positions as mate problems. */
  readonly solving = new Task<null, readonly Row[], readonly Row[]>(() => this.#session.dispatchEvent(new Event('change')));
  readonly #session: Session;

  constructor(name: string | null, items: readonly Item[], session: Session) {
    this.name = name;
    this.items = items.slice(0, LONGEST_LIST);
    this.isCut = items.length > LONGEST_LIST;
    this.#session = session;
  }

  async open(index: number): Promise<void> {
    this.keep();
    this.current = index;
    const { game, open } = this.items[index] ?? {};
    if (game) this.#session.openGame({ ...game, item: this.first + index });
    await open?.();
  }

  /** The items that the visitor changed. */
  get edited(): readonly Game[] {
    return this.items.flatMap(({ opened, game }, index) => (game && !isSameRecord(game, opened!) ? [{ ...game, item: this.first + index }] : []));
  }

  /** Shows the list again that a reload kept, with the number of the item that was opened last. */
  restore(item: number, edited: readonly Game[]): void {
    this.current = item % LONGEST_LIST;
    this.first = item - this.current;
    for (const game of edited) this.#put(game);
    this.keep();
  }

  /** Keeps the game on the board, if it is of an item. */
  keep(): void {
    this.#put(this.#session.game);
  }

  #put(game: Game): void {
    const item = this.items[game.item! - this.first];
    if (item?.game) item.game = game;
  }
}

/** The games of a file, by their players or numbers. */
export function collectionOf(games: readonly Game[], name: string | null, session: Session): Collection {
  return new Collection(name, games.map((game) => itemOf(game, titleOf(game))), session);
}

export function positionsOf(setups: readonly Setup[], session: Session): Collection {
  return new Collection(null, setups.map((setup) => itemOf(newGame(setup), formatSfen(setup))), session);
}

/** A game's players, or its title; empty if it has neither. */
export function titleOf(game: Game): string {
  const [black, white] = [playerName(game, 'black'), playerName(game, 'white')];
  if (black || white) return `☗${black ?? ''} ☖${white ?? ''}`;
  return game.header.find(([key, value]) => ['棋戦', '表題', '作品名'].includes(key) && value !== '')?.[1] ?? '';
}

/** A list, and what could not be read of its files. */
interface Listing {
  readonly list: Collection | null;
  readonly unread: readonly Unread[];
}

/** The games and the files of records of a zip archive. */
export async function archiveOf(module: Module, archive: File, session: Session): Promise<Listing> {
  const files = await entries(archive);
  return files ? listOf(module, archive.name, files, session) : { list: null, unread: [{ name: archive.name, why: DAMAGED.sentence }] };
}

/** One of several files that were dropped. */
export const entryOf = (file: File): Entry => ({
  name: file.name, file, read: async (limit) => (file.size > limit ? null : new Uint8Array(await file.arrayBuffer())),
});

/** The games and the files of records of several files. */
export async function listOf(module: Module, name: string | null, files: readonly Entry[], session: Session): Promise<Listing> {
  const items: Item[] = [];
  const others: Item[] = [];
  const unread: Unread[] = [];
  for (const entry of files) {
    if (isOfMacos(entry.name)) continue;
    const isGame = isGameFile(entry.name);
    const [games, why] = isGame || extensionOf(entry.name) === 'txt' ? await gamesOf(module, entry) : [[]];
    items.push(...games.map((game) => itemOf(game, [entry.name, titleOf(game)].filter(Boolean).join('  '))));
    // A text without a game can be a file of records.
    if (!isGame && !games.length) others.push({ name: entry.name, open: () => (entry.file ? session.open(entry.file) : openRecords(entry, session)) });
    else if (why !== undefined) unread.push({ name: entry.name, why });
    if (items.length > LONGEST_LIST) break;
  }
  // Files that are no records are reported when they are opened; games come first.
  items.push(...others);
  return { list: items.length > 0 ? new Collection(name, items, session) : null, unread };
}

/** Parses no more games than a list holds, and one by which it is seen to be cut: a file may have a million. */
export const parse = (module: Module, bytes: Uint8Array, name: { readonly extension?: string } = {}) =>
  module.parseFile({ ...name, limit: LONGEST_LIST + 1 }, bytes);

/** The games of a file, and why it could not be read as a whole; null if it is larger than the limit. */
async function gamesOf(module: Module, entry: Entry): Promise<readonly [games: readonly Game[], why?: Unread['why'] | undefined]> {
  let bytes: Uint8Array | null;
  try {
    bytes = await entry.read(LARGEST_GAME);
  } catch (error) {
    return [[], reasonOf(error)];
  }
  if (!bytes) return [[], null];
  const { ok, error } = parse(module, bytes, { extension: extensionOf(entry.name) });
  if (error) return [[], error.sentence];
  if (ok.kind === 'position') return [[newGame(parseSfen(ok.sfen)!)]];
  if (ok.kind !== 'games') return [[]];
  return [ok.games.map(fromModule).filter((game) => game !== null), ok.faults[0]?.sentence];
}

const reasonOf = (error: unknown) => (error instanceof Unsupported ? UNSUPPORTED : DAMAGED).sentence;

/** Unpacks a file of an archive and shows it as a file of records. */
async function openRecords(entry: Entry, session: Session): Promise<void> {
  let why: Unread['why'] = null;
  const bytes = await entry.read(LARGEST_RECORDS).catch((error: unknown) => {
    why = reasonOf(error);
    return null;
  });
  if (bytes) session.openRecords(new File([bytes], entry.name.split('/').pop()!));
  else session.say(session.words.paste.unread([{ name: entry.name, why }]));
}
