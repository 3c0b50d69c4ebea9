/** The state of the page: the game with its undo steps, the mode, the tab, and the rules module's results for the
 * position. Elements read it and call its methods; every change is announced with one `change` event. */

import { type Address, READER, type Tab, gameOf, readAddress, writeAddress } from '../model/address.js';
import {
  type Game, type Path, currentNode, goTo, goToPly, isPlain, lineThrough, movesPlayed, newGame, playMove, playMoves, playerNames, positionAt,
  promoteBranch, removeBranch, withComments, withName,
} from '../model/game.js';
import { unpack } from '../model/packed.js';
import { loadDecompress } from '../model/compression.js';
import { type History, record, redo, replacePresent, startHistory, undo } from '../model/history.js';
import type { Color } from '../model/piece.js';
import { formatSfen, parseSfen } from '../model/sfen.js';
import { EMPTY, type Place, type Setup, hasKing } from '../model/setup.js';
import { type Legal, Module, type ModuleError, type PositionInfo, type ReadWord, WORD_FORMATS } from '../module.js';
import { Client } from '../work/client.js';
import { failure } from '../work/failures.js';
import { WARM_UP } from '../work/warm-up.js';
import { type Language, type Words, wordsOf } from '../words/index.js';
import type { Mode } from '../board/komabako-board.js';
import type { Collection, Unread } from './collection.js';
import { type Kept, Keeper } from './kept.js';
import { click } from './sound.js';
import { type Content, type Opening, type Source, readSource } from './source.js';
import { type Choices, browserLanguage, keep, read, storedChoices, storedLanguage, write } from './storage.js';
import { Packer, lackOf, readKif, scoreIn } from './written.js';

export type ModuleState = 'loading' | 'ready' | 'missing';

/** Places and a move that a tab highlights on the board while an item is pointed at. */
export interface Highlight {
  readonly places: readonly Place[];
  readonly arrow: string | null;
}
/** The delay after which the address is written: browsers limit the number of changes. */
const ADDRESS_DELAY = 250;
const NO_HIGHLIGHT: Highlight = { places: [], arrow: null };

export class Session extends EventTarget {
  #history: History<Game>;
  #mode: Mode = 'play';
  #tab: Tab;
  #language: Language;
  #languageInAddress: boolean;
  #choices = storedChoices();
  #flipped = false;
  #module: Module | null = null;
  #compiled: WebAssembly.Module | null = null;
  #moduleState: ModuleState = 'loading';
  #highlight = NO_HIGHLIGHT;
  #hovered: Place | null = null;
  #pinned: Place | null = null;
  /** A sentence above the board, until the next edit. */
  notice: string | null = null;
  /** Loads the waiting new version of the page, if there is one. */
  reload: (() => void) | null = null;
  /** The file that the files tab shows, the record of it, and whether that is shown again after a reload. */
  file: File | null = null;
  record = 0;
  isFileRestored = false;
  /** The name of a file that was open before a reload, and could not be kept. */
  lostFile: string | null = null;
  /** The games or positions that were opened together. */
  collection: Collection | null = null;
  /** Why the board shows no position: the shown record has none. */
  #missing: { readonly error: ModuleError | null } | null = null;
  /** Whether the mate tab is asked to solve the position at once. */
  solvesAtOnce = false;
  /** Whether the files tab is asked for the statistics of the file at once. */
  countsAtOnce = false;
  #isFirstVisit: boolean;
  #isReading: boolean;
  /** The choice or correction that the last paste left open. */
  opening: Opening | null = null;
  /** Whether both workers are started and can be called without delay. */
  workersReady = false;
  workers: { readonly solver: Client; readonly files: Client } | null = null;
  /** The game that `browse` showed last. */
  #browsed: Game | null = null;
  /** The number of pastes and files that were opened. */
  #opened = 0;
  /** The packed position of the address, until the module is loaded to decode it. */
  #word: { readonly hex: string; readonly format: string | null } | null;
  /** The packed game of the address, likewise. */
  #packed: { readonly game: string; readonly path: Path } | null = null;
  readonly #packer = new Packer();
  readonly #keeper = new Keeper();
  /** Whether the visitor changed the game or the place in it, so that it is kept. */
  #isTouched = false;
  /** Whether it is known what an earlier visit kept, so that it can be replaced. */
  #isSearched = false;
  #isRestored = false;
  /** The game of an earlier visit, if this one began without a game. */
  earlier: Game | null = null;
  /** What a reload found besides the game, until the module is loaded to read it. */
  #kept: Kept | null = null;
  /** What is being typed, and where. */
  #typing: { readonly path: Path; readonly box: Color | 'comment' } | null = null;
  #writing: ReturnType<typeof setTimeout> | null = null;
  #position: { game: Game; setup: Setup } | null = null;
  #legal: { key: string; value: Legal | null } | null = null;
  #usi: { legal: Legal | null; value: readonly string[] | null } = { legal: null, value: null };
  #info: { key: string; value: PositionInfo | null } | null = null;

  constructor(address = readAddress(location.search, location.hash)) {
    super();
    this.#tab = address.tab;
    this.#isReading = address.reads;
    this.#language = address.language ?? storedLanguage() ?? browserLanguage();
    this.#word = address.word === null ? null : { hex: address.word, format: address.format };
    this.#languageInAddress = address.language !== null;
    this.#isFirstVisit = read('visited') === null && address.setup === null && address.word === null && address.game === null;
    this.#packed = address.game === null ? null : { game: address.game, path: address.path };
    this.#history = startHistory(gameOf(address));
    // A reload shows the address that was written when it began.
    for (const leaving of ['beforeunload', 'pagehide']) {
      addEventListener(leaving, () => {
        if (this.#writing !== null) clearTimeout(this.#writing);
        this.#keep();
      });
    }
    addEventListener('hashchange', () => this.#enter(readAddress(location.search, location.hash)));
    // Storage may be disabled; then a reload has what the address holds.
    void this.#findKept(address).catch(() => (this.#isSearched = true));
    if (address.bad !== null) this.notice = this.words.badAddress(address.bad);
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
  get choices(): Choices {
    return this.#choices;
  }
  /** Whether the reader solves the position: the tab of mates hides its answers. */
  get isReading(): boolean {
    return this.#isReading;
  }
  /** Whether nothing was done yet on the first visit. */
  get isFirstVisit(): boolean {
    return this.#isFirstVisit;
  }
  /** Set if the board has no position to show. */
  get missing(): { readonly error: ModuleError | null } | null {
    return this.#missing;
  }
  get names(): Partial<Record<Color, string>> {
    return playerNames(this.game);
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

  /** The legal moves in USI, the same array until they change. */
  get legalUsi(): readonly string[] | null {
    const { legal } = this;
    if (this.#usi.legal !== legal) this.#usi = { legal, value: legal?.moves.map((move) => move.usi) ?? null };
    return this.#usi.value;
  }

  /** The module's description of the position. */
  get info(): PositionInfo | null {
    if (!this.#module) return null;
    const sfen = this.sfen;
    if (this.#info?.key !== sfen) this.#info = { key: sfen, value: this.#module.call('position', { sfen }).ok ?? null };
    return this.#info.value;
  }

  /** A link to the game, with a sentence about what it does not hold. */
  async link(): Promise<{ readonly address: string; readonly lack: string }> {
    const packed = await this.#packer.pack(this.#module, this.game);
    const address = new URL(this.#address(packed?.text ?? null), location.href.replace(/[?#].*$/, '')).href;
    const lack = packed ? lackOf(this.words, packed.losses) : isPlain(this.game) ? '' : this.words.copyMenu.positionOnly;
    return { address, lack };
  }

  // ------------------------------------------------------------------------------------------------------------ changing

  /** Replaces the game with a position, as an edit: of the item of a list, if that is a position. */
  edit(setup: Setup): void {
    const { children, item } = this.game;
    this.#record(children.length > 0 ? newGame(setup) : { ...newGame(setup), item });
  }

  /** Shows a position for viewing, such as a record of a file. It replaces the one before it, but any other game is an undo step. */
  browse(setup: Setup): void {
    const game = newGame(setup);
    if (this.game === this.#browsed) this.#replace(game);
    else this.#record(game);
    this.#browsed = game;
  }

  /** Shows no position, because the record has none that can be read. None is left to be copied or solved either. */
  showNone(error: ModuleError | null): void {
    this.browse(EMPTY);
    this.#missing = { error };
    this.#changed();
  }

  /** Shows a problem and solves it. */
  solve(sfen: string): void {
    this.#record(newGame(parseSfen(sfen)!));
    this.solvesAtOnce = true;
    this.setTab('solve');
  }

  openGame(game: Game): void {
    this.#mode = 'play';
    this.#record(game);
  }

  play(usi: string): void {
    const { legal } = this;
    const move = legal?.moves.find((one) => one.usi === usi);
    if (legal && !move) return;
    if (this.#choices.sound) click();
    this.#record(playMove(this.game, usi, move?.japanese ?? null));
  }

  removeBranch(): void {
    this.#record(removeBranch(this.game));
  }

  promoteBranch(): void {
    this.#record(promoteBranch(this.game));
  }

  setName(color: Color, name: string): void {
    this.#type(withName(this.game, color, name), color);
  }

  /** Replaces the comments of the current node. */
  setComment(text: string): void {
    const comments = text === '' ? [] : text.split('\n');
    this.#type(withComments(this.game, comments, scoreIn(this.#module, this.game, comments)), 'comment');
  }

  /** Changes the game while the visitor types. All that is typed in one box is one step to undo. */
  #type(game: Game, box: Color | 'comment'): void {
    if (this.#typing?.path === game.path && this.#typing.box === box) this.#replace(game);
    else this.#record(game);
    this.#typing = { path: game.path, box };
  }

  go(path: Path): void {
    if (this.#choices.sound) click();
    this.#replace(goTo(this.game, path));
  }

  #replace(game: Game): void {
    this.#turnTo(replacePresent(this.#history, game));
  }

  #turnTo(history: History<Game>): void {
    // The reader solves one problem.
    if (history.present.start !== this.game.start) this.#isReading = false;
    this.#missing = null;
    this.#isTouched = true;
    this.#history = history;
    this.#announce();
  }

  /** Continues the game of an earlier visit. */
  continueEarlier(): void {
    if (this.earlier) this.openGame(this.earlier);
  }

  /** Steps along the shown line; `Infinity` goes to an end. */
  step(by: number): void {
    const line = lineThrough(this.game);
    const ply = Math.min(line.length, Math.max(0, this.game.path.length + by));
    this.go(line.slice(0, ply));
  }

  undo(): void {
    this.#travel(undo(this.#history));
  }

  redo(): void {
    this.#travel(redo(this.#history));
  }

  #travel(history: History<Game>): void {
    this.#typing = null;
    this.#turnTo(history);
  }

  setMode(mode: Mode): void {
    this.#act();
    this.#isTouched = true;
    this.#mode = mode;
    this.#announce();
  }

  setTab(tab: Tab): void {
    if (tab !== this.#tab) this.#act();
    this.#tab = tab;
    this.#highlight = NO_HIGHLIGHT;
    this.#announce();
  }

  setLanguage(language: Language): void {
    this.#language = language;
    write('language', language);
    this.#announce();
  }

  /** Changes how the page looks or sounds. */
  choose(change: Partial<Choices>): void {
    this.#choices = { ...this.#choices, ...change };
    keep(change);
    this.#changed();
  }

  setReading(reads: boolean): void {
    // The problem is the position on the board.
    if (reads && this.game.path.length > 0) this.#record(newGame(this.position));
    this.#isReading = reads;
    this.#announce();
  }

  flip(): void {
    this.#flipped = !this.#flipped;
    this.#changed();
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
  async open(source: Source): Promise<void> {
    const { module } = this;
    if (!module) return this.say(this.#moduleState === 'loading' ? this.words.loading : this.words.moduleMissing);
    this.#act();
    this.#opened += 1;
    const turn = this.#opened;
    let content: Content;
    try {
      content = await readSource(module, source, this);
    } catch (error) {
      // A module that ran out of memory cannot be called again.
      this.#module = await Module.instantiate(this.#compiled!);
      return this.say(this.words.sentenceOf(failure(error)));
    }
    // Something else was opened meanwhile.
    if (turn !== this.#opened) return;
    this.opening = null;
    if ('refused' in content) {
      this.opening = content.refused;
      this.#changed();
    } else if ('records' in content) this.openRecords(content.records);
    else if ('address' in content) await this.#openAddress(module, content.address);
    else if ('position' in content) this.#record(newGame(content.position));
    else if ('words' in content) this.#openWords(content.words);
    else {
      if ('game' in content) this.openGame(content.game);
      else this.#openList(content, source);
      if (content.fault) this.notice = this.words.sentenceOf(content.fault);
      this.setTab('board');
    }
  }

  /** Shows a file of records in its tab, and its statistics at once if asked to. */
  openRecords(file: File, withStatistics = false): void {
    this.file = file;
    this.record = 0;
    this.countsAtOnce = withStatistics;
    void this.#keeper.keepSource('records', file).catch(() => undefined);
    this.setTab('files');
  }

  #openWords(words: readonly ReadWord[]): void {
    if (words[0]) this.#record(newGame(parseSfen(words[0].sfen!)!));
    this.opening = words.length > 1 ? { words } : null;
    this.setTab('bits');
  }

  /** Shows what the visitor entered behind the address of the page. */
  #enter(address: Address): void {
    this.#isReading = address.reads;
    this.setTab(address.tab);
    if (this.#module && address.game !== null) void this.#openAddress(this.#module, address);
  }

  /** Opens the game of an address that was pasted or entered. */
  async #openAddress(module: Module, address: Address): Promise<void> {
    this.openGame(gameOf(address));
    this.#isReading = address.reads;
    if (address.bad !== null) this.say(this.words.badAddress(address.bad));
    this.#checkMoves(module);
    if (address.word !== null) this.#readWord(module, { hex: address.word, format: address.format });
    if (address.game !== null) {
      this.#packed = { game: address.game, path: address.path };
      await this.#readPacked(module, this.#packed);
    }
    this.#announce();
  }

  /** Opens the first item of a list, which stays for the other ones. What could not be read of an archive is named. */
  #openList({ list, unread }: { readonly list: Collection | null; readonly unread: readonly Unread[] }, source: Source): void {
    if (list) {
      this.collection?.solving.abandon();
      this.collection = list;
      void this.#keeper.keepSource('list', source).catch(() => undefined);
      void list.open(0);
    }
    if (unread.length) this.say(this.words.paste.unread(unread));
    else if (!list) this.say(this.words.paste.noGames);
  }

  /** Sets the module once it is loaded, and checks the moves of the address with it. */
  setModule(module: Module | null, compiled: WebAssembly.Module | null = null): void {
    this.#module = module;
    this.#compiled = compiled;
    this.workers = compiled && { solver: new Client(compiled, WARM_UP), files: new Client(compiled) };
    this.#moduleState = module ? 'ready' : 'missing';
    if (module && !this.#isRestored) this.#checkMoves(module);
    if (module && this.#word) this.#readWord(module, this.#word);
    this.#word = null;
    if (module && this.#kept) void this.#restore(module, this.#kept);
    if (module && this.#packed) void this.#readPacked(module, this.#packed).then(() => this.#announce());
    else this.#announce();
    // Workers start when the page is idle, so that there are no later requests and no task waits for its worker.
    const idle = globalThis.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 200));
    if (this.workers) idle(() => void this.#startWorkers());
  }

  async #startWorkers(): Promise<void> {
    try {
      await Promise.all([this.workers?.solver.ready(), this.workers?.files.ready(), loadDecompress()]);
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
    if (answer.error) {
      this.notice = this.words.sentenceOf(answer.error);
      answer = module.call('play', { sfen, moves: moves.slice(0, answer.error.index ?? 0) });
    }
    const checked = playMoves(newGame(game.start), answer.ok?.moves ?? []);
    this.#history = replacePresent(this.#history, goToPly(checked, ply));
  }

  /** Replaces the game with a packed one, if it can be read and nothing was done meanwhile. */
  async #readPacked(module: Module, packed: { readonly game: string; readonly path: Path }): Promise<void> {
    const text = await unpack(packed.game);
    if (this.#packed !== packed) return;
    const game = text === null ? null : readKif(module, text);
    this.#packed = null;
    if (game) this.#history = replacePresent(this.#history, goTo(game, packed.path));
    else this.say(this.words.damagedLink);
  }

  /** Notes that the visitor did something. */
  #act(): void {
    if (!this.#isFirstVisit) return;
    this.#isFirstVisit = false;
    write('visited', 'yes');
  }

  #record(game: Game): void {
    this.#act();
    this.#packed = null;
    this.#typing = null;
    this.notice = null;
    this.#turnTo(record(this.#history, game));
  }

  #address(packed: string | null): string {
    return writeAddress(this.game, this.#isReading && this.#tab === 'solve' ? READER : this.#tab, this.#languageInAddress ? this.#language : null, packed);
  }

  /** Tells the views first, and then, after a pause, writes the address. */
  #announce(): void {
    this.#changed();
    if (this.#writing !== null) clearTimeout(this.#writing);
    this.#writing = setTimeout(() => void this.#packer.pack(this.#module, this.game).then(() => this.#writeAddress()), ADDRESS_DELAY);
  }

  #writeAddress(): void {
    if (this.#writing !== null) clearTimeout(this.#writing);
    this.#writing = null;
    // A game of the address that is not read yet is not overwritten.
    if (this.#packed) return;
    try {
      history.replaceState(history.state, '', this.#address(this.#packer.packedForm(this.game)));
    } catch {
      // Safari refuses more than 100 changes in 30 seconds. A later change writes the address.
    }
    this.#keep();
  }

  #keep(): void {
    if (!this.#isTouched || !this.#isSearched) return;
    const list = this.collection;
    list?.keep();
    const view = {
      address: location.search + location.hash, mode: this.#mode, flipped: this.#flipped,
      item: list && list.first + list.current, file: this.file?.name ?? null, record: this.record,
    };
    void this.#keeper.keep(this.#history, view, list?.edited ?? []).catch(() => undefined);
  }

  /** Finds the game that this tab of the browser showed before a reload: the address may be too short for all of it. A
   * visit without a game is offered the last one. */
  async #findKept(address: Address): Promise<void> {
    const kept = await this.#keeper.find(location.search + location.hash);
    this.#isSearched = true;
    if (!kept && !address.setup && address.word === null && address.game === null) this.earlier = await this.#keeper.latest();
    if (kept) {
      this.#isRestored = true;
      this.#packed = null;
      this.#mode = kept.view.mode;
      this.#flipped = kept.view.flipped;
      // A change that was made meanwhile is one step more. A mere step is lost.
      this.#history = this.canUndo ? record(kept.history, this.game) : kept.history;
      if (this.#module) void this.#restore(this.#module, kept);
      else this.#kept = kept;
    }
    this.#changed();
  }

  /** Shows the list and the file again that a reload found, unless others were opened meanwhile. */
  async #restore(module: Module, { view, list, edited, records }: Kept): Promise<void> {
    this.#kept = null;
    const content = list === null || view.item === null ? null : await readSource(module, list, this);
    if (content && 'list' in content && content.list && !this.collection) {
      this.collection = content.list;
      content.list.restore(view.item!, edited);
    }
    if (view.file !== null && !this.file) {
      this.isFileRestored = records instanceof File;
      this.file = records instanceof File ? records : null;
      this.record = view.record;
      this.lostFile = this.file ? null : view.file;
    }
    // The address may be older than the game.
    this.#isTouched = true;
    this.#announce();
  }

  #changed(): void {
    this.dispatchEvent(new Event('change'));
  }

  kingSquare(color: Color): number | null {
    const square = this.position.board.indexOf(color === 'black' ? 'K' : 'k');
    return square < 0 ? null : square;
  }
}
