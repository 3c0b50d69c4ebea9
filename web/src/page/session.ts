/** The state of the page: the game with its undo steps, the mode, the tab, and the rules module's results for the
 * position. Elements read it and call its methods; every change is announced with one `change` event. */

import { type Tab, readAddress, readForeignLink, writeAddress } from '../model/address.js';
import {
  type Game, type Path, currentNode, goTo, goToPly, lineThrough, movesPlayed, newGame, playMove, positionAt, removeBranch,
} from '../model/game.js';
import { type History, record, redo, replacePresent, startHistory, undo } from '../model/history.js';
import type { Color } from '../model/piece.js';
import { formatSfen, parseSfen, START_SFEN } from '../model/sfen.js';
import { type Place, type Setup, hasKing } from '../model/setup.js';
import { fromModule } from '../model/record.js';
import { entries } from '../model/zip.js';
import { type Legal, type Module, type ModuleError, type Parsed, type PositionInfo, type ReadWord, WORD_FORMATS } from '../module.js';
import { Client } from '../work/client.js';
import { WARM_UP } from '../work/warm-up.js';
import { type Language, type Words, wordsOf } from '../words/index.js';
import type { Mode } from '../board/komabako-board.js';

export type Theme = 'auto' | 'light' | 'dark';
export type ModuleState = 'loading' | 'ready' | 'missing';

/** Places and a move that a tab highlights on the board while an item is pointed at. */
export interface Highlight {
  readonly places: readonly Place[];
  readonly arrow: string | null;
}
/** A paste that failed, with the faulty line, or that contains several items. */
export type Opening =
  | { readonly error: ModuleError; readonly line: string | null }
  | { readonly games: readonly Game[] }
  | { readonly words: readonly ReadWord[] };

/** Larger files are not read as game records. */
const LARGEST_GAME = 64 << 20;
/** The maximum number of games listed from an archive. */
const MAX_GAMES = 200;
/** The extensions of game records. */
const GAMES: readonly string[] = ['kif', 'kifu', 'ki2', 'ki2u', 'csa', 'jkf', 'json', 'usi', 'bod'];
const extensionOf = (name: string) => name.split('.').pop()!.toLowerCase();
/** Decodes text as UTF-8 or, if it is not valid, as EUC-JP or CP932. */
function textOf(raw: Uint8Array): string {
  for (const label of ['utf-8', 'euc-jp']) {
    try {
      return new TextDecoder(label, { fatal: true }).decode(raw);
    } catch {
      // The bytes are in another encoding.
    }
  }
  return new TextDecoder('shift_jis').decode(raw);
}
const NO_HIGHLIGHT: Highlight = { places: [], arrow: null };

export class Session extends EventTarget {
  #history: History<Game>;
  #mode: Mode = 'play';
  #tab: Tab;
  #language: Language;
  #languageInAddress: boolean;
  #theme: Theme;
  #letters: boolean;
  #flipped = false;
  #module: Module | null = null;
  #moduleState: ModuleState = 'loading';
  #highlight = NO_HIGHLIGHT;
  #hovered: Place | null = null;
  #pinned: Place | null = null;
  /** A sentence above the board, until the next edit. */
  notice: string | null = null;
  /** Loads the waiting new version of the page, if there is one. */
  reload: (() => void) | null = null;
  /** The file that the files tab shows. */
  droppedFile: File | null = null;
  /** The choice or correction that the last paste left open. */
  opening: Opening | null = null;
  /** Whether both workers are started and can be called without delay. */
  workersReady = false;
  workers: { readonly solver: Client; readonly files: Client } | null = null;
  #calls: readonly string[] = [];
  #browsing = false;
  /** The packed position of the address, until the module is loaded to decode it. */
  #word: { readonly hex: string; readonly format: string | null } | null;
  #position: { game: Game; setup: Setup } | null = null;
  #legal: { key: string; value: Legal | null } | null = null;
  #info: { key: string; value: PositionInfo | null } | null = null;

  constructor(address = readAddress(location.search, location.hash)) {
    super();
    this.#tab = address.tab;
    this.#language = address.language ?? storedLanguage() ?? browserLanguage();
    this.#word = address.word === null ? null : { hex: address.word, format: address.format };
    this.#languageInAddress = address.language !== null;
    this.#theme = storedTheme();
    this.#letters = read('letters') === 'yes';
    let game = newGame(address.setup ?? parseSfen(START_SFEN)!);
    for (const usi of address.moves) game = playMove(game, usi);
    game = address.ply === null ? game : goToPly(game, address.ply);
    this.#history = startHistory(game);
    if (address.badSfen) this.notice = this.words.badAddress(address.badSfen);
    if (address.setup && !hasKing(address.setup, 'black') && !hasKing(address.setup, 'white')) this.#mode = 'setup';
  }

  // ------------------------------------------------------------------------------------------------------------ reading

  get game(): Game {
    return this.#history.present;
  }
  get position(): Setup {
    if (this.#position?.game !== this.game) this.#position = { game: this.game, setup: positionAt(this.game) };
    return this.#position.setup;
  }
  get sfen(): string {
    return formatSfen(this.position);
  }
  get lastMove(): string | null {
    return currentNode(this.game)?.usi ?? null;
  }
  get mode(): Mode {
    return this.#mode;
  }
  get tab(): Tab {
    return this.#tab;
  }
  get language(): Language {
    return this.#language;
  }
  get words(): Words {
    return wordsOf(this.#language);
  }
  get theme(): Theme {
    return this.#theme;
  }
  get letters(): boolean {
    return this.#letters;
  }
  get flipped(): boolean {
    return this.#flipped;
  }
  get module(): Module | null {
    return this.#module;
  }
  get moduleState(): ModuleState {
    return this.#moduleState;
  }
  /** The calls that the module answers. */
  get calls(): readonly string[] {
    return this.#calls;
  }
  get highlight(): Highlight {
    return this.#highlight;
  }
  /** The place of the board under the pointer or the focus, or the pinned place. */
  get hovered(): Place | null {
    return this.#hovered ?? this.#pinned;
  }
  get canUndo(): boolean {
    return this.#history.past.length > 0;
  }
  get canRedo(): boolean {
    return this.#history.future.length > 0;
  }

  /** The legal moves and the state of the game; null without the module or if no game can be played. */
  get legal(): Legal | null {
    if (!this.#module) return null;
    const request = { sfen: formatSfen(this.game.start), moves: movesPlayed(this.game) };
    const key = JSON.stringify(request);
    if (this.#legal?.key !== key) this.#legal = { key, value: this.#module.call('moves', request).ok ?? null };
    return this.#legal.value;
  }

  /** The module's description of the position. */
  get info(): PositionInfo | null {
    if (!this.#module) return null;
    const sfen = this.sfen;
    if (this.#info?.key !== sfen) this.#info = { key: sfen, value: this.#module.call('position', { sfen }).ok ?? null };
    return this.#info.value;
  }

  get link(): string {
    return new URL(this.#address(), location.href.replace(/[?#].*$/, '')).href;
  }

  // ------------------------------------------------------------------------------------------------------------ changing

  /** Replaces the game with a position, as an edit. */
  edit(setup: Setup): void {
    this.#record(newGame(setup));
  }

  /** Shows a position for viewing, such as a record of a file. The first one is an undo step; later ones replace it. */
  browse(setup: Setup): void {
    if (!this.#browsing) this.#record(newGame(setup));
    else {
      this.#history = replacePresent(this.#history, newGame(setup));
      this.#announce();
    }
    this.#browsing = true;
  }

  openGame(game: Game): void {
    this.#mode = 'play';
    this.#record(game);
  }

  play(usi: string): void {
    const japanese = this.legal?.moves.find((move) => move.usi === usi)?.japanese ?? null;
    this.#record(playMove(this.game, usi, japanese));
  }

  removeBranch(): void {
    this.#record(removeBranch(this.game));
  }

  go(path: Path): void {
    this.#history = replacePresent(this.#history, goTo(this.game, path));
    this.#announce();
  }

  /** Steps along the shown line; `Infinity` goes to an end. */
  step(by: number): void {
    const line = lineThrough(this.game);
    const ply = Math.min(line.length, Math.max(0, this.game.path.length + by));
    this.go(line.slice(0, ply));
  }

  undo(): void {
    this.#history = undo(this.#history);
    this.#announce();
  }

  redo(): void {
    this.#history = redo(this.#history);
    this.#announce();
  }

  setMode(mode: Mode): void {
    this.#mode = mode;
    this.#announce();
  }

  setTab(tab: Tab): void {
    this.#tab = tab;
    this.#highlight = NO_HIGHLIGHT;
    this.#announce();
  }

  setLanguage(language: Language): void {
    this.#language = language;
    write('language', language);
    this.#announce();
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    write('theme', theme);
    this.#announce();
  }

  setLetters(letters: boolean): void {
    this.#letters = letters;
    write('letters', letters ? 'yes' : 'no');
    this.#announce();
  }

  flip(): void {
    this.#flipped = !this.#flipped;
    this.#announce();
  }

  show(highlight: Partial<Highlight>): void {
    this.#highlight = { ...NO_HIGHLIGHT, ...highlight };
    this.#changed();
  }

  hover(place: Place | null): void {
    this.#hovered = place;
    this.#changed();
  }

  /** Keeps the bits of a place highlighted; the same place again unpins it. */
  pin(place: Place | null): void {
    this.#pinned = JSON.stringify(place) === JSON.stringify(this.#pinned) ? null : place;
    this.#changed();
  }

  /** Offers the user a waiting new version of the page. */
  offerReload(reload: () => void): void {
    this.reload = reload;
    this.#changed();
  }

  /** Shows a sentence above the tabs. */
  say(sentence: string): void {
    this.notice = sentence;
    this.#changed();
  }

  /** Opens a paste or a file: a position or game is shown on the board, a file of records in its tab. */
  async open(source: File | string): Promise<void> {
    const { module } = this;
    if (!module) return this.say(this.#moduleState === 'loading' ? this.words.loading : this.words.moduleMissing);
    const text = typeof source === 'string';
    const raw = text ? new TextEncoder().encode(source) : source.size <= LARGEST_GAME ? new Uint8Array(await source.arrayBuffer()) : null;
    const extension = text ? undefined : extensionOf(source.name);
    const isGame = text || GAMES.includes(extension ?? '');
    const foreign = text ? readForeignLink(source) : null;
    if (foreign) return this.edit(foreign);
    if (!text && extension === 'zip') return this.#openArchive(module, source);
    if (!isGame || !raw) {
      this.droppedFile = source as File;
      return this.setTab('files');
    }
    const answer = module.parseFile(extension ? { extension } : {}, raw);
    if (answer.error) {
      const line = textOf(raw).split(/\r\n|\r|\n/)[(answer.error.line ?? 0) - 1];
      this.opening = { error: answer.error, line: line ?? null };
      return this.#changed();
    }
    this.#openParsed(answer.ok!);
  }

  /** Opens the game records of a zip archive. Files that cannot be read are counted and left out. */
  async #openArchive(module: Module, archive: Blob): Promise<void> {
    const files = (await entries(archive)) ?? [];
    const games: Game[] = [];
    let left = 0;
    for (const file of files.filter(({ name }) => GAMES.includes(extensionOf(name)))) {
      if (games.length >= MAX_GAMES || file.size > LARGEST_GAME) {
        left += 1;
        continue;
      }
      const bytes = await file.read().catch(() => null);
      const parsed = bytes && module.parseFile({ extension: extensionOf(file.name) }, bytes).ok;
      const read = parsed?.kind === 'games' ? parsed.games.map(fromModule).filter((game) => game !== null) : [];
      const isWhole = parsed?.kind === 'games' && parsed.faults.length === 0;
      if (read.length === 0 || !isWhole) left += 1;
      games.push(...read);
    }
    if (!games[0]) return this.say(this.words.paste.noGames);
    this.openGame(games[0]);
    this.opening = games.length > 1 ? { games } : null;
    if (left > 0) this.notice = this.words.paste.left(left);
    this.setTab('board');
  }

  #openParsed(parsed: Parsed): void {
    this.opening = null;
    switch (parsed.kind) {
      case 'position':
        return this.edit(parseSfen(parsed.sfen)!);
      case 'games': {
        const games = parsed.games.map(fromModule).filter((game) => game !== null);
        if (games[0]) this.openGame(games[0]);
        this.opening = games.length > 1 ? { games } : null;
        const [fault] = parsed.faults;
        if (fault) this.notice = this.words.sentenceOf(fault);
        return this.setTab('board');
      }
      case 'words': {
        const readable = parsed.words.filter((word) => word.sfen !== null);
        if (readable[0]) this.edit(parseSfen(readable[0].sfen!)!);
        this.opening = readable.length > 1 ? { words: readable } : null;
        return this.setTab('bits');
      }
    }
  }

  /** Sets the module once it is loaded, and checks the moves of the address with it. */
  setModule(module: Module | null, compiled: WebAssembly.Module | null = null): void {
    this.#module = module;
    this.workers = compiled && { solver: new Client(compiled, WARM_UP), files: new Client(compiled) };
    this.#moduleState = module ? 'ready' : 'missing';
    this.#calls = module?.call('version', {}).ok?.calls ?? [];
    if (module) this.#checkMoves(module);
    if (module && this.#word) this.#readWord(module, this.#word);
    this.#word = null;
    this.#announce();
    // Workers start when the page is idle, so that there are no later requests and no task waits for its worker.
    const idle = globalThis.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 200));
    if (this.workers) idle(() => void this.#startWorkers());
  }

  async #startWorkers(): Promise<void> {
    try {
      await Promise.all([this.workers?.solver.ready(), this.workers?.files.ready()]);
      this.workersReady = true;
      this.#changed();
    } catch {
      // The next task restarts its worker, and reports a failure.
    }
  }

  #readWord(module: Module, { hex, format }: { readonly hex: string; readonly format: string | null }): void {
    const known = WORD_FORMATS.find((one) => one === format);
    const answer = known ? module.call('decode', { format: known, hex }) : module.call('parse', {}, new TextEncoder().encode(hex));
    const value = answer.ok;
    const sfen = !value ? null : 'sfen' in value ? value.sfen : 'words' in value ? (value.words.find((word) => word.sfen !== null)?.sfen ?? null) : null;
    const error = answer.error ?? (value && 'error' in value ? value.error : null);
    if (sfen !== null) this.#history = replacePresent(this.#history, newGame(parseSfen(sfen)!));
    else if (error) this.notice = this.words.sentenceOf(error);
  }

  /** Ends the line before the first illegal move of the address, and adds the Japanese texts of the other moves. */
  #checkMoves(module: Module): void {
    const { game } = this;
    const sfen = formatSfen(game.start);
    const moves = movesPlayed(goTo(game, lineThrough(game)));
    if (moves.length === 0) return;
    const ply = game.path.length;
    let answer = module.call('play', { sfen, moves });
    if (answer.error) answer = module.call('play', { sfen, moves: moves.slice(0, answer.error.index ?? 0) });
    let checked = newGame(game.start);
    for (const move of answer.ok?.moves ?? []) checked = playMove(checked, move.usi, move.japanese);
    this.#history = replacePresent(this.#history, goToPly(checked, ply));
  }

  #record(game: Game): void {
    this.notice = null;
    this.#browsing = false;
    this.#history = record(this.#history, game);
    this.#announce();
  }

  #address(): string {
    return writeAddress(this.game, this.#tab, this.#languageInAddress ? this.#language : null);
  }

  #announce(): void {
    history.replaceState(null, '', this.#address());
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }

  kingSquare(color: Color): number | null {
    const square = this.position.board.indexOf(color === 'black' ? 'K' : 'k');
    return square < 0 ? null : square;
  }
}

/** Storage may be disabled; then choices last only as long as the page. */
function read(key: string): string | null {
  try {
    return localStorage.getItem(`komabako-${key}`);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(`komabako-${key}`, value);
  } catch {
    // Storage is disabled: see `read`.
  }
}

function storedLanguage(): Language | null {
  const language = read('language');
  return language === 'ja' || language === 'en' ? language : null;
}

function browserLanguage(): Language {
  return navigator.language.startsWith('ja') ? 'ja' : 'en';
}

function storedTheme(): Theme {
  const theme = read('theme');
  return theme === 'light' || theme === 'dark' ? theme : 'auto';
}
