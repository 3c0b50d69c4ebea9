import { LitElement, type PropertyValues, type TemplateResult, css, html, nothing } from 'lit';
import '../board/komabako-board.js';
import type { Faces } from '../board/pieces.js';
import { type Komabako, KomabakoError, load } from '../komabako.js';
import { type Game, type GameNode, type Path, applyMove, lineThrough, newGame, nodesAlong, playerName } from '../model/game.js';
import { moveText } from '../model/notation.js';
import { readUpTo } from '../model/packed.js';
import { COLORS } from '../model/piece.js';
import { fromModule } from '../model/record.js';
import type { Setup } from '../model/setup.js';
import { formatSfen, parseSfen, START_SFEN } from '../model/sfen.js';
import { wordsOf, type Language } from '../words/index.js';
import type { PlayerElement, PlayerStep } from './types.js';
import { EMBED_WORDS } from './words.js';

/** The largest record in bytes; a game has some ten thousand. */
const LARGEST = 4 << 20;
/** The width of the element in pixels below which hands are above and below the board. */
const NARROW = 480;

/** Loaded by the first player. */
let module: Promise<Komabako> | null = null;

/** Why a file cannot be shown, in the words of a language. */
class Unshown extends Error {
  constructor(readonly reason: (language: Language) => string) {
    super(reason('en'));
  }
}

/** A line of the game, through the current node: its nodes, and the position before each and after the last. */
interface Line {
  readonly path: Path;
  readonly nodes: readonly GameNode[];
  readonly setups: readonly Setup[];
}

/** A game record that readers step through. Attributes: `src`, `game`, `ply`, `lang` (`ja` or `en`), `flipped`, `faces`,
 * `coordinates`. Event: `komabako-step` {sfen, ply, move}. The keys ← → Home End step while the focus is inside, but outside the
 * board's grid. */
export class KomabakoPlayer extends LitElement implements PlayerElement {
  static override styles = css`
    :host { display: block; max-width: 40rem; color: var(--komabako-ink, #2a2019); font: 1rem/1.5 system-ui, 'Hiragino Sans', 'Yu Gothic UI', 'Noto Sans CJK JP', sans-serif; }
    :host([hidden]) { display: none; }
    .bar { display: flex; gap: 0.25rem; margin-top: 0.5rem; }
    button, select { min-height: 2.75rem; min-width: 2.75rem; padding: 0 0.5rem; border: 1px solid var(--komabako-edge, #a27c42); border-radius: 4px;
      background: var(--komabako-paper, #fbf7ee); color: inherit; font: inherit; touch-action: manipulation; }
    select { flex: 1; min-width: 4rem; }
    button[aria-disabled='true'] { opacity: 0.45; }
    button[aria-pressed='true'] { border-width: 2px; font-weight: bold; }
    :focus-visible { outline: 3px solid var(--komabako-focus, #1c5f8a); outline-offset: 1px; }
    .variations { display: flex; flex-wrap: wrap; gap: 0.25rem; align-items: center; margin-top: 0.25rem; }
    .comments { margin: 0.5rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
    .fault { margin: 0.5rem 0 0; padding: 0.5rem 0.75rem; border-left: 4px solid var(--komabako-check, #a3261a); background: var(--komabako-paper, #fbf7ee); overflow-wrap: anywhere; }
  `;
  static override properties = {
    src: { type: String },
    game: { type: Number },
    ply: { type: Number },
    lang: { type: String },
    flipped: { type: Boolean, reflect: true },
    faces: { type: String },
    coordinates: { type: String },
  };

  declare src: string;
  declare game: number;
  declare ply: number;
  declare flipped: boolean;
  declare faces: Faces;
  declare coordinates: 'yes' | 'no';

  /** The game of `src`. Its path is empty; the place in it is `#line` and `ply`. */
  #game: Game = newGame(parseSfen(START_SFEN)!);
  #line: Line = { path: [], nodes: [], setups: [this.#game.start] };
  #loading: AbortController | null = null;
  #fault: Unshown | null = null;
  #isNarrow = false;
  readonly #size = new ResizeObserver(() => {
    const isNarrow = this.clientWidth < NARROW;
    if (isNarrow === this.#isNarrow) return;
    this.#isNarrow = isNarrow;
    this.requestUpdate();
  });

  constructor() {
    super();
    this.src = '';
    this.game = 1;
    this.ply = 0;
    this.flipped = false;
    this.faces = 'one';
    this.coordinates = 'yes';
    this.addEventListener('keydown', this.#onKey);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size.disconnect();
  }

  get #language(): Language {
    return /^en\b/.test(this.lang) ? 'en' : 'ja';
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('src') && !changed.has('game')) return;
    if (this.hasUpdated && !changed.has('ply')) this.ply = 0;
    void this.#load();
  }

  protected override updated(changed: PropertyValues<this>): void {
    // Not bound in the template, which would set it before its options.
    const select = this.renderRoot.querySelector('select');
    if (select) select.value = String(this.#ply);
    if (!changed.has('ply') || this.#loading) return;
    const ply = this.#ply;
    const detail: PlayerStep = { sfen: formatSfen(this.#line.setups[ply]!), ply, move: this.#line.nodes[ply - 1]?.usi ?? null };
    this.dispatchEvent(new CustomEvent('komabako-step', { detail, bubbles: true, composed: true }));
  }

  // ---------------------------------------------------------------------------------------------------------- the record

  async #load(): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#fault = null;
    this.#show(newGame(parseSfen(START_SFEN)!));
    try {
      const game = this.src ? await read(new URL(this.src, this.baseURI), this.game ?? 1, loading.signal) : this.#game;
      if (loading.signal.aborted) return;
      this.#show(game);
    } catch (error) {
      // Another file was named meanwhile.
      if (loading.signal.aborted) return;
      this.#fault = error instanceof Unshown ? error : new Unshown((language) => EMBED_WORDS[language].unreachable);
    }
    this.#loading = null;
    // Another game is a step, too.
    this.requestUpdate(this.#fault ? undefined : 'ply');
  }

  #show(game: Game): void {
    this.#game = game;
    this.#follow([]);
  }

  /** Makes the line through a path the current one. */
  #follow(path: Path): void {
    const line = lineThrough(this.#game, path);
    const nodes = nodesAlong(this.#game, line);
    const setups = [this.#game.start];
    for (const [ply, { usi }] of nodes.entries()) setups.push(applyMove(setups[ply]!, usi) ?? setups[ply]!);
    this.#line = { path: line, nodes, setups };
    this.requestUpdate();
  }

  // ---------------------------------------------------------------------------------------------------------- steps

  /** The ply that is shown: `ply`, which may be any number, within the line. */
  get #ply(): number {
    return Math.min(Math.max(Math.trunc(this.ply) || 0, 0), this.#line.nodes.length);
  }

  readonly #onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.composedPath()[0] instanceof HTMLSelectElement) return;
    const target = { ArrowLeft: this.#ply - 1, ArrowRight: this.#ply + 1, Home: 0, End: this.#line.nodes.length }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.#goTo(target);
  };

  #goTo(ply: number): void {
    this.ply = Math.min(Math.max(ply, 0), this.#line.nodes.length);
  }

  #choose(index: number): void {
    this.#follow([...this.#line.path.slice(0, this.#ply), index]);
    this.#goTo(this.#ply + 1);
  }

  // ---------------------------------------------------------------------------------------------------------- drawing

  protected override render(): TemplateResult {
    const words = wordsOf(this.#language);
    const own = EMBED_WORDS[this.#language];
    if (this.#fault) return html`<p class="fault" role="alert">${own.failed(this.src, this.#fault.reason(this.#language))}</p>`;
    const game = this.#game;
    const line = this.#line;
    const ply = this.#ply;
    const names = Object.fromEntries(COLORS.map((color) => [color, playerName(game, color) ?? '']));
    // Not `disabled`: a button that becomes so loses the focus, and with it the keys.
    const button = (name: string, sign: string, target: number) => html`<button aria-label=${name} title=${name}
      aria-disabled=${target < 0 || target > line.nodes.length || target === ply} @click=${() => this.#goTo(target)}>${sign}</button>`;
    return html`<section aria-label=${own.player} aria-busy=${this.#loading !== null}>
      <komabako-board .sfen=${formatSfen(line.setups[ply]!)} .lang=${this.#language} .flipped=${this.flipped} .faces=${this.faces}
        .coordinates=${this.coordinates} .narrow=${this.#isNarrow} .names=${names} .lastMove=${line.nodes[ply - 1]?.usi ?? null}></komabako-board>
      <div class="bar" role="group" aria-label=${own.controls}>
        ${button(words.first, '|◀', 0)} ${button(words.previous, '◀', ply - 1)}
        <select aria-label=${words.gameMoves} @change=${this.#onSelect}>${this.#options(line)}</select>
        ${button(words.next, '▶', ply + 1)} ${button(words.last, '▶|', line.nodes.length)}
      </div>
      ${this.#variations(ply)} ${this.#text(ply)}
      ${this.#loading ? html`<p class="comments" role="status">${own.loading}</p>` : nothing}
    </section>`;
  }

  /** The options of the last line in the last language, since drawing them takes longer than a step may. */
  #drawn: { line: Line; language: Language; options: TemplateResult[] } | null = null;

  #options(line: Line): TemplateResult[] {
    if (this.#drawn?.line !== line || this.#drawn.language !== this.#language) {
      const options = [html`<option value="0">${wordsOf(this.#language).startPosition}</option>`];
      for (const [at, node] of line.nodes.entries()) {
        const number = this.#game.start.ply + at;
        options.push(html`<option value=${at + 1}>${number} ${moveText(line.setups[at]!, node, this.#language)}</option>`);
      }
      this.#drawn = { line, language: this.#language, options };
    }
    return this.#drawn.options;
  }

  #onSelect(event: Event): void {
    this.#goTo(Number((event.target as HTMLSelectElement).value));
  }

  /** The moves among which the reader may choose here. */
  #variations(ply: number): TemplateResult | typeof nothing {
    const { children } = this.#line.nodes[ply - 1] ?? this.#game;
    if (children.length < 2) return nothing;
    const words = wordsOf(this.#language);
    return html`<div class="variations" role="group" aria-label=${words.variations}>${children.map(
      (node, index) => html`<button
      aria-pressed=${this.#line.path[ply] === index} @click=${() => this.#choose(index)}>${moveText(this.#line.setups[ply]!, node, this.#language)}</button>`,
    )}</div>`;
  }

  /** The comments on the current move, and the ends of the game after it. */
  #text(ply: number): TemplateResult | typeof nothing {
    const { comments, ends } = this.#line.nodes[ply - 1] ?? this.#game;
    const words = wordsOf(this.#language);
    const parts = [...comments, ...ends.flatMap((end) => [words.ending(end.word), ...end.comments])];
    return parts.length > 0 ? html`<p class="comments">${parts.join('\n')}</p>` : nothing;
  }
}

/** Reads a game of a file. */
async function read(address: URL, number: number, signal: AbortSignal): Promise<Game> {
  module ??= load().catch((error: unknown) => {
    module = null;
    throw error;
  });
  const [bytes, shogi] = await Promise.all([download(address, signal), module]);
  const extension = /\.([^./]+)$/.exec(address.pathname)?.[1];
  let game: Game | null | undefined;
  try {
    const parsed = shogi.parse(bytes, extension);
    if (parsed.kind === 'games') {
      const fault = parsed.faults.find((fault) => (fault.game ?? 1) === number);
      if (fault) throw new KomabakoError(fault);
      // Games that cannot be read have no place in the list.
      const before = parsed.faults.filter((fault) => (fault.game ?? 1) < number).length;
      const record = parsed.games[number - 1 - before];
      game = record && fromModule(record);
    } else {
      const setup = parseSfen(parsed.kind === 'position' ? parsed.sfen : (parsed.words[0]?.sfen ?? ''));
      game = setup && newGame(setup);
    }
  } catch (error) {
    if (error instanceof KomabakoError) throw new Unshown((language) => wordsOf(language).sentenceOf(error.fault));
    throw error;
  }
  if (!game) throw new Unshown((language) => EMBED_WORDS[language].noGame(number));
  return game;
}

async function download(address: URL, signal: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(address, { signal });
  if (!response.ok || !response.body) throw new Unshown((language) => `${EMBED_WORDS[language].unreachable} (HTTP ${response.status})`);
  const bytes = await readUpTo(response.body, LARGEST);
  if (!bytes) throw new Unshown((language) => EMBED_WORDS[language].tooLarge(LARGEST >> 20));
  return bytes;
}

customElements.define('komabako-player', KomabakoPlayer);
