import { type TemplateResult, html, nothing } from 'lit';
import { movesPlayed, parseMove } from '../model/game.js';
import { formatSfen, parseSfen } from '../model/sfen.js';
import { western } from '../model/notation.js';
import type { SolveChild } from '../module.js';
import type { SolveReport, Solved } from '../work/protocol.js';
import { Task } from '../work/task.js';
import { SessionElement } from './element.js';

/** The limits of the search of the problem, and of a reply or a hint. */
const PROBLEM = { goal: 'shortest', hideUseless: true, memory: 64, seconds: 60 } as const;
const NODES = 200_000;

/** What the page answers to the reader's last move. */
type Said = 'begin' | 'good' | 'solved' | 'no-check' | 'escapes' | 'undecided';

/** A problem that the reader solves: the reader plays the attacker on the board, the page answers with the longest defence. */
export class Reader extends SessionElement {
  readonly #search = new Task<string, SolveReport, Solved>(() => this.requestUpdate());
  /** The moves below a position: replies to a check, or mating moves for a hint. */
  readonly #children = new Task<string, never, readonly SolveChild[]>(() => this.requestUpdate());
  #said: Said = 'begin';
  /** How much of the next move is told: nothing, where it starts, or all of it. */
  #hints = 0;
  /** The start and moves of the position that was reacted to, and their number. */
  #shown = '';
  #ply = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.sessionChanged();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#search.abandon();
    this.#children.abandon();
  }

  get #start(): string {
    return formatSfen(this.session.game.start);
  }

  protected override sessionChanged(): void {
    const { session } = this;
    const client = session.workers?.solver;
    if (!client || session.tab !== 'solve') return;
    const sfen = this.#start;
    this.#search.turnTo(sfen);
    const solved = this.#search.resultOf(sfen);
    // The worker may have solved another position since, or be a new one.
    if (!this.#search.isRunning && !(solved && client.holds(solved)) && !this.#search.faultOf(sfen)) {
      if (!solved) this.#said = 'begin';
      void this.#search.run(sfen, (report) => client.run('solve', { sfen, ...PROBLEM }, report)).then(() => this.sessionChanged());
      return;
    }
    const shown = `${sfen} ${movesPlayed(session.game).join(' ')}`;
    this.#children.turnTo(shown);
    if (shown === this.#shown || !solved) return;
    const ply = session.game.path.length;
    if (ply < this.#ply) this.#said = ply === 0 ? 'begin' : 'good';
    this.#shown = shown;
    this.#ply = ply;
    this.#hints = 0;
    if (ply % 2 === 1) void this.#reply(shown);
  }

  /** Answers the reader's move. */
  async #reply(shown: string): Promise<void> {
    const { session } = this;
    const { standing } = session.legal ?? {};
    if (standing?.over === 'checkmate') return this.#say('solved');
    if (!standing?.check) return this.#say('no-check');
    const [reply] = (await this.#below(shown)) ?? [];
    if (shown !== this.#shown) return;
    if (!reply) return this.#say('undecided');
    this.#say(reply.status === 'mate' ? 'good' : 'escapes');
    session.play(reply.usi);
  }

  async #below(shown: string): Promise<readonly SolveChild[] | null> {
    const client = this.session.workers!.solver;
    return this.#children.run(shown, () => client.run('children', { path: movesPlayed(this.session.game), nodes: NODES }));
  }

  #say(said: Said): void {
    this.#said = said;
    this.requestUpdate();
  }

  protected override render(): TemplateResult {
    const { session, words } = this;
    const { reader } = words.solve;
    const solved = this.#search.resultOf(this.#start);
    const { verdict } = solved ?? {};
    const isMate = verdict?.is === 'mate';
    const task = !verdict ? words.solve.searching : !isMate ? reader.noMate : this.#said === 'begin' ? reader.begin(words.color(solved!.started.attacker), verdict.length) : reader.said[this.#said];
    return html`<section class="reader" aria-label=${reader.title}><h3>${reader.title}</h3>
      <p class="said" role="status">${task} ${this.#hint()}</p>
      <div class="row">
        <button ?disabled=${!isMate || session.game.path.length % 2 === 1 || this.#hints === 2} @click=${this.#onHint}>${reader.hint}</button>
        <button ?disabled=${session.game.path.length === 0} @click=${() => session.step(session.game.path.length % 2 === 0 ? -2 : -1)}>${reader.takeBack}</button>
        <button ?disabled=${session.game.path.length === 0} @click=${() => session.step(-Infinity)}>${reader.again}</button>
      </div>
      <div class="row"><button class="quiet" @click=${() => session.setReading(false)}>${reader.giveUp}</button></div></section>`;
  }

  /** The hint that was asked for. */
  #hint(): TemplateResult | typeof nothing {
    const { session, words } = this;
    const children = this.#children.resultOf(this.#shown);
    const best = children?.find(({ status }) => status === 'mate');
    if (this.#hints === 0 || !children) return nothing;
    if (!best) return html`${words.solve.reader.noHint}`;
    const move = parseMove(best.usi)!;
    const text = session.language === 'ja' ? best.japanese : western(parseSfen(session.sfen)!, best.usi);
    const piece = move.dropped ? words.pieceKind(move.dropped) : best.usi.slice(0, 2);
    return html`${this.#hints === 1 ? words.solve.reader.hintFrom(piece, move.dropped !== null) : text}`;
  }

  #onHint(): void {
    this.#hints += 1;
    if (!this.#children.resultOf(this.#shown)) void this.#below(this.#shown);
    this.requestUpdate();
  }
}

customElements.define('komabako-reader', Reader);
