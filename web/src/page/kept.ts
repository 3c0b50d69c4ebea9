/** What recent visits left, in the browser's own database: a reload finds it again, a later visit the last game. Nothing
 * leaves the computer. Each tab of the browser keeps its game with the steps to undo, its list and its file. */

import type { Mode } from '../board/komabako-board.js';
import { type Game, type Path, goTo, isSameRecord } from '../model/game.js';
import type { History } from '../model/history.js';
import { fromModule, toModule } from '../model/record.js';
import type { Game as ModuleGame } from '../module.js';
import type { Source } from './source.js';

/** What the page shows beside its game. It is written at every step, a game only when it changes. */
export interface View {
  readonly address: string;
  readonly mode: Mode;
  readonly flipped: boolean;
  /** The number of the shown item of the list; null without a list. */
  readonly item: number | null;
  /** The name of the file of records, and the record that is shown. */
  readonly file: string | null;
  readonly record: number;
}

/** A state of the game: the number of its record among those of this tab, and the place in it. */
interface Step {
  readonly game: number;
  readonly path: Path;
  readonly item: number | undefined;
}

type StoredView = View & { readonly at: number; readonly hasMoves: boolean; readonly steps: readonly Step[]; readonly present: number; readonly edited: readonly Step[] };

export interface Kept {
  readonly history: History<Game>;
  readonly view: View;
  /** What the list was read from, and its changed items. */
  readonly list: Source | null;
  readonly edited: readonly Game[];
  /** The file of records, if it was small enough. */
  readonly records: Source | null;
}

export type Shelf = 'list' | 'records';

/** A form of the database has a name of its own: a database cannot be changed while an older page has it open. */
const DATABASE = 'komabako-4';
const VIEWS = 'views';
const GAMES = 'games';
const FILES = 'files';
/** The numbers of tabs whose games and files are kept. */
const MOST = 20;
const MOST_FILES = 4;
const LARGEST_FILE = 32 << 20;
/** The nodes of all games of a tab: of large games fewer steps are kept. */
const MOST_NODES = 50_000;

/** Where the name of a tab of the browser survives its reloads. The state of its history has the name, too, because another
 * page in the same tab has another one. */
const NAME = 'komabako-tab';
/** The milliseconds in which a page that is reloaded gives its lock back. If it takes longer, nothing is lost. */
const RELOAD = 300;

/** Locks the name of a tab as long as the page is open. Returns whether no other page has it. */
function lock(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const hold = () => {
      resolve(true);
      return new Promise(() => undefined);
    };
    navigator.locks.request(name, { signal: AbortSignal.timeout(RELOAD) }, hold).catch(() => resolve(false));
  });
}

/** The name under which this tab may have kept something. Storage may be disabled; then it rejects. */
async function findName(): Promise<string | null> {
  return history.state ?? sessionStorage.getItem(NAME);
}

/** Takes a name for this tab: `found` if no other page has it. A duplicate of a tab begins with the name of the other one, and
 * must not write under it. */
async function nameFrom(found: string | null): Promise<string> {
  let own = found;
  // Pages that are not served by https have no locks.
  while (own === null || ('locks' in navigator && !(await lock(own)))) own = `${Date.now()}-${Math.random()}`;
  sessionStorage.setItem(NAME, own);
  history.replaceState(own, '');
  return own;
}

/** The keys of everything that a tab has in a store. */
const keysOf = (tab: IDBValidKey) => IDBKeyRange.bound([tab], [tab, []]);

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** A game in the database. */
interface Stored {
  readonly game: Game;
  readonly number: number;
  readonly nodes: number;
}

export class Keeper {
  readonly #found = findName();
  /** The name of this tab. */
  #own = this.#found.then(nameFrom);
  #database: Promise<IDBDatabase> | null = null;
  /** The games that are known to be stored. */
  #stored: readonly Stored[] = [];
  #next = 0;
  #isNew = true;

  /** A store, in a transaction. Storage may be disabled; then it rejects. */
  async #store(name: string, mode: IDBTransactionMode): Promise<IDBObjectStore> {
    return (await this.#transaction(mode)).objectStore(name);
  }

  async #transaction(mode: IDBTransactionMode): Promise<IDBTransaction> {
    if (!this.#database) {
      const opening = indexedDB.open(DATABASE);
      opening.onupgradeneeded = () => {
        // Of earlier pages.
        indexedDB.deleteDatabase('komabako');
        for (const name of [VIEWS, GAMES, FILES]) opening.result.createObjectStore(name);
      };
      this.#database = answered(opening);
      this.#database.then((database) => (database.onclose = this.#forget), this.#forget);
    }
    return (await this.#database).transaction([VIEWS, GAMES, FILES], mode);
  }

  /** The next change opens the database, and stores everything, again. */
  readonly #forget = () => {
    this.#database = null;
    this.#stored = [];
  };

  async keep(history: History<Game>, view: View, changed: readonly Game[]): Promise<void> {
    const tab = await this.#own;
    const transaction = await this.#transaction('readwrite');
    transaction.onabort = this.#forget;
    const games = transaction.objectStore(GAMES);
    if (this.#stored.length === 0) games.delete(keysOf(tab));
    const stored: Stored[] = [];
    let nodes = 0;
    /** Stores a game, unless it is stored. */
    const step = (game: Game): Step => {
      let one = [...stored, ...this.#stored].find((known) => isSameRecord(known.game, game));
      if (!one) {
        const record = toModule(game);
        one = { game, number: this.#next, nodes: record.nodes.length };
        this.#next += 1;
        games.put(record, [tab, one.number]);
      }
      if (!stored.includes(one)) {
        stored.push(one);
        nodes += one.nodes;
      }
      return { game: one.number, path: game.path, item: game.item };
    };
    const present = step(history.present);
    const edited = changed.map(step);
    const past: Step[] = [];
    for (const game of history.past.toReversed()) {
      if (nodes > MOST_NODES) break;
      past.unshift(step(game));
    }
    const future: Step[] = [];
    for (const game of history.future) {
      if (nodes > MOST_NODES) break;
      future.push(step(game));
    }
    for (const old of this.#stored) if (!stored.includes(old)) games.delete([tab, old.number]);
    this.#stored = stored;
    const views = transaction.objectStore(VIEWS);
    const hasMoves = history.present.children.length > 0;
    views.put({ ...view, at: Date.now(), hasMoves, steps: [...past, present, ...future], present: past.length, edited } satisfies StoredView, tab);
    // At once, because a page that is left does not wait for it.
    transaction.commit();
    if (!this.#isNew) return;
    this.#isNew = false;
    const locks = await navigator.locks?.query();
    await forgetOldest(await this.#transaction('readwrite'), locks?.held?.map(({ name }) => name) ?? []);
  }

  /** Keeps what a list or a file of records is read from, if it is not too large. Null forgets it. */
  async keepSource(shelf: Shelf, source: Source | null): Promise<void> {
    const tab = await this.#own;
    const files = await this.#store(FILES, 'readwrite');
    const size = [source].flat().reduce((sum, one) => sum + (one instanceof File ? one.size : 0), 0);
    if (source !== null && size <= LARGEST_FILE) files.put(source, [tab, shelf]);
    else files.delete([tab, shelf]);
  }

  /** What this tab kept at an address. */
  async find(address: string): Promise<Kept | null> {
    const tab = await this.#found;
    const own = await this.#own;
    if (tab === null) return null;
    const transaction = await this.#transaction('readonly');
    const view = await answered<StoredView | undefined>(transaction.objectStore(VIEWS).get(tab));
    if (view?.address !== address) {
      // The name is of the page before this one, to which the visitor may go back.
      if (view) this.#own = nameFrom(null);
      return null;
    }
    const store = transaction.objectStore(GAMES);
    const files = transaction.objectStore(FILES);
    const [keys, records, list, file] = await Promise.all([
      answered(store.getAllKeys(keysOf(tab))) as Promise<[string, number][]>, answered<ModuleGame[]>(store.getAll(keysOf(tab))),
      answered<Source | undefined>(files.get([tab, 'list'])), answered<Source | undefined>(files.get([tab, 'records'])),
    ]);
    this.#stored = records.flatMap((record, index) => {
      const game = fromModule(record);
      return game ? [{ game, number: keys[index]![1], nodes: record.nodes.length }] : [];
    });
    this.#next = Math.max(-1, ...this.#stored.map(({ number }) => number)) + 1;
    const gameOf = ({ game, path, item }: Step) => {
      const found = this.#stored.find(({ number }) => number === game);
      return found ? { ...goTo(found.game, path), item } : null;
    };
    const games = view.steps.map(gameOf);
    const edited = view.edited.map(gameOf).filter((game) => game !== null);
    if (tab !== own) {
      this.#stored = [];
      await Promise.all([this.keepSource('list', list ?? null), this.keepSource('records', file ?? null)]);
    }
    const present = games[view.present];
    if (!present) return null;
    const others = (from: number, to?: number) => games.slice(from, to).filter((game) => game !== null);
    const history = { past: others(0, view.present), present, future: others(view.present + 1) };
    return { history, view, list: list ?? null, edited, records: file ?? null };
  }

  /** The last game of all tabs. */
  async latest(): Promise<Game | null> {
    const transaction = await this.#transaction('readonly');
    const [last] = (await byAge(transaction)).filter(([, { hasMoves }]) => hasMoves);
    if (!last) return null;
    const [tab, { steps, present }] = last;
    const { game, path } = steps[present]!;
    const record = await answered<ModuleGame | undefined>(transaction.objectStore(GAMES).get([tab, game]));
    const found = record && fromModule(record);
    return found ? goTo(found, path) : null;
  }
}

/** The views with the names of their tabs, the newest first. */
async function byAge(transaction: IDBTransaction): Promise<(readonly [string, StoredView])[]> {
  const views = transaction.objectStore(VIEWS);
  const [names, all] = await Promise.all([answered(views.getAllKeys()), answered<StoredView[]>(views.getAll())]);
  return names.map((name, index) => [String(name), all[index]!] as const).sort(([, one], [, other]) => other.at - one.at);
}

/** Forgets the oldest tabs, except open ones. */
async function forgetOldest(transaction: IDBTransaction, open: readonly unknown[]): Promise<void> {
  for (const [index, [tab]] of (await byAge(transaction)).entries()) {
    if (open.includes(tab)) continue;
    if (index >= MOST_FILES) transaction.objectStore(FILES).delete(keysOf(tab));
    if (index < MOST) continue;
    transaction.objectStore(VIEWS).delete(tab);
    transaction.objectStore(GAMES).delete(keysOf(tab));
  }
}
