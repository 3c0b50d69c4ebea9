import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { type Game, applyMove, goToPly, newGame, playMove } from '../model/game.js';
import { western } from '../model/notation.js';
import { grouped } from '../model/number.js';
import type { Color } from '../model/piece.js';
import { formatSfen, parseSfen } from '../model/sfen.js';
import { toModule } from '../model/record.js';
import { withVariations } from '../model/variations.js';
import type { ModuleError, MoveText, SolveChild, SolveOutcome, SolveRequest } from '../module.js';
import { TaskFailed, type Running } from '../work/client.js';
import type { SolveReport, Solved } from '../work/protocol.js';
import { download } from './download.js';
import { SessionElement } from './element.js';

const LIMITS = [5, 30, 300, null] as const;
const TABLES = [16, 64, 256, 1024] as const;
/** The node limit for a child of the tree: about a tenth of a second each. */
const CHILD_NODES = 30_000;
/** The time between two moves of automatic play, in milliseconds. */
const TEMPO = 800;

/** The mate solver: options, progress, the line, and a tree whose nodes are searched on demand. */
export class SolveTab extends SessionElement {
  #limit: number | null = 5;
  #memory = 64;
  #goal: SolveRequest['goal'] = 'shortest';
  #hideUseless = true;
  #running: Running<'solve'> | null = null;
  #report: SolveReport | null = null;
  #solved: Solved | null = null;
  #fault: ModuleError | null = null;
  #children = new Map<string, readonly SolveChild[] | 'busy'>();
  #player: ReturnType<typeof setInterval> | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopPlaying();
  }

  /** Starts a worker that is not running when the tab is shown, rather than at the first click. */
  protected override willUpdate(_: PropertyValues): void {
    if (this.session.tab === 'solve') this.session.workers?.solver.ready().catch(() => undefined);
  }

  protected override render(): TemplateResult {
    const { session } = this;
    const { solve } = this.words;
    return html`<p class="hint">${solve.hint(this.#attacker())}</p>
      <div class="row options">
        <label class="field">${solve.goal}<select @change=${this.#onGoal}>
          <option value="shortest" ?selected=${this.#goal === 'shortest'}>${solve.shortest}</option>
          <option value="any" ?selected=${this.#goal === 'any'}>${solve.first}</option></select></label>
        <label class="field">${solve.limit}<select @change=${this.#onLimit}>
          ${LIMITS.map((limit, index) => html`<option value=${index} ?selected=${limit === this.#limit}>${limit === null ? solve.noLimit : solve.seconds(limit)}</option>`)}</select></label>
        <label class="field">${solve.table}<select @change=${this.#onMemory}>
          ${TABLES.map((size) => html`<option value=${size} ?selected=${size === this.#memory}>${size} MiB</option>`)}</select></label>
        <label><input type="checkbox" .checked=${this.#hideUseless} @change=${this.#onUseless}> ${solve.hideUseless}</label>
      </div>
      <div class="row">
        <button type="button" class="main" ?disabled=${this.#running !== null || !session.workers} @click=${this.#start}>${solve.start}</button>
        ${this.#running ? html`<button type="button" @click=${() => this.#running?.cancel()}>${this.words.cancel}</button>` : nothing}
      </div>
      ${this.#running ? this.#progress() : nothing} ${this.#fault ? html`<p class="fault" role="alert">${this.words.sentenceOf(this.#fault)}</p>` : nothing}
      ${this.#solved ? this.#outcome(this.#solved) : nothing}`;
  }

  /** The attacker: the side to move or, while the board shows the line of a solution, the attacker of that solution. */
  #attacker(): Color {
    const { verdict, started } = this.#solved ?? {};
    return verdict?.is === 'mate' && this.#at(this.#solved!, verdict.line) > 0 ? started!.attacker : this.session.position.side;
  }

  #progress(): TemplateResult {
    const report = this.#report;
    const { solve } = this.words;
    if (!report) return html`<p class="progress" role="status">${solve.searching}</p>`;
    const number = (value: number) => (value >= 1e9 ? '∞' : grouped(value));
    return html`<div class="progress" role="status" aria-live="off"><p>${solve.searching}
        <b class="number">${grouped(report.nodes)}</b> ${this.words.nodes} · ${(report.nodes / Math.max(report.seconds, 0.001) / 1e6).toFixed(2)} M/s · ${report.seconds.toFixed(1)} s</p>
      <p class="hint number">${solve.numbers(number(report.proof), number(report.disproof))} ${report.shortest === null ? nothing : solve.soFar(report.shortest)}</p>
      <p class="hint mono clip">${report.line.join(' ')}</p></div>`;
  }

  #outcome(solved: Solved): TemplateResult {
    const { solve } = this.words;
    const { verdict } = solved;
    const numbers = html`<p class="hint number">${grouped(solved.nodes)} ${this.words.nodes} · ${solved.seconds.toFixed(2)} s</p>`;
    switch (verdict.is) {
      case 'mate':
        return html`<div class="verdict" role="status"><h2>${solve.mate(verdict.length)}</h2>
          <p>${verdict.exact ? solve.exact : solve.notExact} ${this.#end(verdict)}</p>${numbers}</div>
          ${this.#line(solved, verdict.line)} ${this.#tree(solved)}`;
      case 'no-mate':
        return html`<div class="verdict" role="status"><h2>${solve.noMate}</h2><p>${solve.why[verdict.why]}</p>${numbers}</div>
          ${verdict.replies.length ? html`<table class="list"><thead><tr><th scope="col">${solve.check}</th><th scope="col">${solve.escape}</th></tr></thead>
            <tbody>${verdict.replies.map(({ check, reply }) => html`<tr><td>${this.#text(check, solved.started.sfen)}</td><td class="mono">${reply}</td></tr>`)}</tbody></table>` : nothing}`;
      case 'unknown':
        return html`<div class="verdict" role="status"><h2>${solve.unknown[verdict.reason]}</h2>
          <p>${verdict.excluded ? solve.excluded(verdict.excluded) : nothing}</p>${numbers}</div>`;
    }
  }

  /** The end of the line: the pieces left over, or that it is missing. */
  #end(mate: SolveOutcome['verdict'] & { is: 'mate' }): string | typeof nothing {
    if (!mate.lineComplete) return this.words.solve.lineUnfinished;
    return Object.keys(mate.left).length ? this.words.solve.left(this.#pieces(mate.left)) : nothing;
  }

  #pieces(left: Readonly<Record<string, number>>): string {
    return Object.entries(left).map(([kind, count]) => `${this.words.pieceKind(kind as 'P')}${count > 1 ? ` ×${count}` : ''}`).join(' ');
  }

  #line(solved: Solved, line: readonly MoveText[]): TemplateResult {
    const { session } = this;
    const { solve } = this.words;
    let before = solved.started.sfen;
    const items = line.map((move, index) => {
      const text = this.#text(move, before);
      before = (move as MoveText & { sfen: string }).sfen;
      return html`<li><button type="button" class="quiet" aria-current=${this.#at(solved, line) === index + 1 ? 'step' : 'false'} @click=${() => this.#show(solved, line, index + 1)}>${text}</button></li>`;
    });
    return html`<ol class="line" aria-label=${solve.line}>${items}</ol>
      <p class="hint mono usi">${line.map((move) => move.usi).join(' ')}</p>
      <div class="row">
        <button type="button" @click=${() => this.#togglePlaying(solved, line)}>${this.#player ? solve.stop : solve.play}</button>
        <button type="button" class="icon" aria-label=${this.words.previous} @click=${() => session.step(-1)}>‹</button>
        <button type="button" class="icon" aria-label=${this.words.next} @click=${() => this.#stepLine(solved, line)}>›</button>
        <button type="button" class="quiet" @click=${() => this.#export(solved, line)}>${solve.exportKif}</button>
      </div>`;
  }

  #text(move: MoveText, before: string): string {
    const setup = this.session.language === 'en' ? parseSfen(before) : null;
    return setup ? western(setup, move.usi) : move.japanese;
  }

  /** The line from the solved position, in which the defender holds all remaining pieces if the attacker has no king. */
  #game(solved: Solved, line: readonly MoveText[]): Game {
    const start = newGame(parseSfen(solved.started.sfen)!);
    return line.reduce((game, move) => playMove(game, move.usi, move.japanese), start);
  }

  /** The number of moves of the line played on the board, or -1 if the board shows another position. */
  #at(solved: Solved, line: readonly MoveText[]): number {
    const ply = this.session.game.path.length;
    const wanted = this.#game(solved, line);
    const shown = this.session.game;
    const same = shown.children[0]?.usi === wanted.children[0]?.usi && shown.start.board.join() === wanted.start.board.join();
    return same ? ply : -1;
  }

  #show(solved: Solved, line: readonly MoveText[], ply: number): void {
    if (this.#at(solved, line) < 0) this.session.openGame(goToPly(this.#game(solved, line), ply));
    else this.session.step(ply - this.session.game.path.length);
  }

  #stepLine(solved: Solved, line: readonly MoveText[]): void {
    this.#show(solved, line, Math.max(0, this.#at(solved, line)) + 1);
  }

  #togglePlaying(solved: Solved, line: readonly MoveText[]): void {
    if (this.#player) {
      this.#stopPlaying();
      return;
    }
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.#stepLine(solved, line);
      return;
    }
    this.#show(solved, line, 0);
    this.#player = setInterval(() => {
      this.#stepLine(solved, line);
      if (this.#at(solved, line) >= line.length) this.#stopPlaying();
    }, TEMPO);
    this.requestUpdate();
  }

  #stopPlaying(): void {
    if (this.#player) clearInterval(this.#player);
    this.#player = null;
    this.requestUpdate();
  }

  // ------------------------------------------------------------------------------------------------------------ tree

  #tree(solved: Solved): TemplateResult {
    return html`<details class="tree" @toggle=${() => void this.#open([])}><summary>${this.words.solve.tree}</summary>
      <ul role="tree" aria-label=${this.words.solve.tree} @keydown=${this.#onTreeKey}>${this.#branches([], solved.started.sfen)}</ul></details>`;
  }

  #branches(path: readonly string[], sfen: string): TemplateResult | readonly TemplateResult[] {
    const children = this.#children.get(path.join(' '));
    if (!children) return html``;
    if (children === 'busy') return html`<li role="treeitem" aria-selected="false">…</li>`;
    return children.map((child, index) => {
      const below = [...path, child.usi];
      const key = below.join(' ');
      const open = this.#children.has(key);
      const setup = parseSfen(sfen);
      const after = setup && applyMove(setup, child.usi);
      const length = child.status === 'mate' ? this.words.solve.length(child.length ?? 0) : this.words.solve.status[child.status];
      return html`<li role="none"><div role="treeitem" tabindex=${path.length === 0 && index === 0 ? 0 : -1} aria-expanded=${open} aria-selected="false" data-path=${key}
          @click=${() => void this.#toggle(below)}><span class="mark" aria-hidden="true">${open ? '▾' : '▸'}</span> ${this.#text(child, sfen)} <small>${length}</small></div>
        ${open && after ? html`<ul role="group">${this.#branches(below, formatSfen(after))}</ul>` : nothing}</li>`;
    });
  }

  async #toggle(path: readonly string[]): Promise<void> {
    if (this.#children.delete(path.join(' '))) this.requestUpdate();
    else await this.#open(path);
  }

  async #open(path: readonly string[]): Promise<void> {
    const key = path.join(' ');
    const client = this.session.workers?.solver;
    if (!client || this.#children.has(key)) return;
    this.#children.set(key, 'busy');
    this.requestUpdate();
    try {
      this.#children.set(key, await client.run('children', { path: [...path], nodes: CHILD_NODES }).result);
    } catch (error) {
      if (!(error instanceof TaskFailed)) throw error;
      this.#children.delete(key);
      this.#fault = error.fault;
    }
    this.requestUpdate();
  }

  /** Handles keys as usual for trees: up and down move, right opens, left closes. */
  #onTreeKey(event: KeyboardEvent): void {
    const items = [...this.querySelectorAll<HTMLElement>('[role=treeitem][data-path]')];
    const at = items.indexOf(event.target as HTMLElement);
    const item = items[at];
    if (!item) return;
    const path = item.dataset['path']!.split(' ');
    const open = item.getAttribute('aria-expanded') === 'true';
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) items[at + move]?.focus();
    else if (event.key === 'Enter' || event.key === ' ' || (event.key === 'ArrowRight' && !open) || (event.key === 'ArrowLeft' && open)) void this.#toggle(path);
    else return;
    event.preventDefault();
  }

  #export(solved: Solved, line: readonly MoveText[]): void {
    const game = withVariations(this.#game(solved, line), this.#children);
    const answer = this.session.module?.call('writeGame', { game: toModule(game), format: 'kif' });
    if (answer?.ok) download('mate.kif', new Blob([answer.ok.text], { type: 'text/plain;charset=utf-8' }));
    else if (answer?.error) this.session.say(this.words.sentenceOf(answer.error));
  }

  // ------------------------------------------------------------------------------------------------------------ running

  async #start(): Promise<void> {
    const client = this.session.workers?.solver;
    if (!client) return;
    this.#stopPlaying();
    const { sfen } = this.session;
    this.#report = null;
    this.#solved = null;
    this.#fault = null;
    this.#children.clear();
    const { goal, hideUseless, memory } = { goal: this.#goal, hideUseless: this.#hideUseless, memory: this.#memory };
    const running = client.run('solve', { sfen, goal, hideUseless, memory, seconds: this.#limit }, (report) => {
      this.#report = report;
      this.requestUpdate();
    });
    this.#running = running;
    this.requestUpdate();
    try {
      this.#solved = await running.result;
    } catch (error) {
      if (!(error instanceof TaskFailed)) throw error;
      this.#fault = error.fault;
      // The memory of a module never shrinks; only terminating the worker frees it.
      client.close();
    } finally {
      this.#running = null;
      this.requestUpdate();
    }
  }

  #onGoal(event: Event): void {
    this.#goal = (event.target as HTMLSelectElement).value as SolveRequest['goal'];
  }
  #onLimit(event: Event): void {
    this.#limit = LIMITS[Number((event.target as HTMLSelectElement).value)] ?? null;
  }
  #onMemory(event: Event): void {
    this.#memory = Number((event.target as HTMLSelectElement).value);
  }
  #onUseless(event: Event): void {
    this.#hideUseless = (event.target as HTMLInputElement).checked;
  }
}

customElements.define('komabako-solve-tab', SolveTab);
