/** The games of recent visits, in the browser's own database: a reload, or a later visit, finds them again. Nothing leaves
 * the computer. Each tab of the browser keeps one game. */

import type { Mode } from '../board/komabako-board.js';
import { type Game, type Path, goTo, isSameRecord } from '../model/game.js';
import { fromModule, toModule } from '../model/record.js';
import type { Game as ModuleGame } from '../module.js';

/** What the page shows of its game. It is written at every step, the game only when it changes. */
export interface View {
  readonly address: string;
  readonly path: Path;
  readonly mode: Mode;
  readonly flipped: boolean;
}
type StoredView = View & { readonly at: number; readonly hasMoves: boolean };

export interface Kept {
  readonly game: Game;
  readonly view: View;
}

const VIEWS = 'views';
const GAMES = 'games';
/** The number of tabs whose games are kept. */
const MOST = 20;

/** A name for this tab of the browser, which survives its reloads. */
function tabName(): string {
  const name = sessionStorage.getItem('komabako-tab') ?? `${Date.now()}-${Math.random()}`;
  sessionStorage.setItem('komabako-tab', name);
  return name;
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export class Keeper {
  #database: Promise<IDBDatabase> | null = null;
  #written: Game | null = null;

  /** The stores, in a transaction. Storage may be disabled; then it rejects. */
  async #stores(mode: IDBTransactionMode): Promise<{ readonly views: IDBObjectStore; readonly games: IDBObjectStore }> {
    if (!this.#database) {
      const opening = indexedDB.open('komabako', 1);
      opening.onupgradeneeded = () => {
        opening.result.createObjectStore(VIEWS);
        opening.result.createObjectStore(GAMES);
      };
      this.#database = answered(opening);
    }
    const transaction = (await this.#database).transaction([VIEWS, GAMES], mode);
    return { views: transaction.objectStore(VIEWS), games: transaction.objectStore(GAMES) };
  }

  async keep(game: Game, view: View): Promise<void> {
    const name = tabName();
    const { views, games } = await this.#stores('readwrite');
    const isNew = !this.#written;
    if (!this.#written || !isSameRecord(this.#written, game)) games.put(toModule(game), name);
    this.#written = game;
    views.put({ ...view, at: Date.now(), hasMoves: game.children.length > 0 } satisfies StoredView, name);
    if (isNew) await forgetOldest(views, games);
  }

  /** The game that this tab kept at an address. */
  async find(address: string): Promise<Kept | null> {
    const { views, games } = await this.#stores('readonly');
    const view = await answered<StoredView | undefined>(views.get(tabName()));
    return view?.address === address ? keptOf(view, await answered<ModuleGame | undefined>(games.get(tabName()))) : null;
  }

  /** The last game of all tabs. */
  async latest(): Promise<Kept | null> {
    const { views, games } = await this.#stores('readonly');
    const [last] = (await byAge(views)).filter(([, { hasMoves }]) => hasMoves);
    return last ? keptOf(last[1], await answered<ModuleGame | undefined>(games.get(last[0]))) : null;
  }
}

function keptOf(view: View, stored: ModuleGame | undefined): Kept | null {
  const game = stored && fromModule(stored);
  return game ? { game: goTo(game, view.path), view } : null;
}

/** The views with the names of their tabs, the newest first. */
async function byAge(views: IDBObjectStore): Promise<(readonly [IDBValidKey, StoredView])[]> {
  const [names, all] = await Promise.all([answered(views.getAllKeys()), answered<StoredView[]>(views.getAll())]);
  return names.map((name, index) => [name, all[index]!] as const).sort(([, one], [, other]) => other.at - one.at);
}

async function forgetOldest(views: IDBObjectStore, games: IDBObjectStore): Promise<void> {
  for (const [name] of (await byAge(views)).slice(MOST)) {
    views.delete(name);
    games.delete(name);
  }
}
