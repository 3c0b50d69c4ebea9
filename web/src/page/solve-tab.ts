import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { pictureAddress } from '../board/picture.js';
import { type Game, applyMove, goToPly, movesPlayed, newGame, playMoves } from '../model/game.js';
import { western } from '../model/notation.js';
import { grouped } from '../model/number.js';
import { formatSfen, parseSfen } from '../model/sfen.js';
import { toModule } from '../model/record.js';
import { withVariations } from '../model/variations.js';
import type { MoveText, SolveChild, SolveOutcome, SolveRequest } from '../module.js';
import { TaskFailed } from '../work/client.js';
import type { SolveReport, Solved } from '../work/protocol.js';
import { Task } from '../work/task.js';
import { download } from './download.js';
import { SessionElement } from './element.js';
import './problem-check.js';
import './reader.js';

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
  /** The search of a position. */
  readonly #search = new Task<string, SolveReport, Solved>(() => this.requestUpdate());
  /** The opened nodes of each answer's tree, by their moves. */
  readonly #trees = new WeakMap<Solved, Map<string, readonly SolveChild[] | 'busy'>>();
  #player: ReturnType<typeof setInterval> | null = null;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopPlaying();
  }

  /** A new position cancels the search. */
  protected override sessionChanged(): void {
    const { session } = this;
    this.#search.turnTo(session.sfen);
    if (session.isReading) this.#search.abandon();
    if (session.tab !== 'solve' || !session.workers) return;
    // A worker that is not running starts when the tab is shown, rather than at the first click.
    session.workers.solver.ready().catch(() => undefined);
    if (session.solvesAtOnce) {
      session.solvesAtOnce = false;
      void this.#start();
    }
  }

  protected override render(): TemplateResult {
    const { session } = this;
    const { solve } = this.words;
    if (session.isReading) return html`<komabako-reader .session=${session}></komabako-reader>`;
    const answer = this.#search.last;
    return html`<div class="row">
        <button class="main" ?disabled=${this.#search.isRunning || !session.workers} @click=${this.#start}>${solve.start}</button>
        <button ?disabled=${this.#search.isRunning || !session.workers} @click=${() => session.setReading(true)}>${solve.reader.title}</button>
        ${this.#search.isRunning ? html`<button @click=${() => this.#search.cancel()}>${this.words.cancel}</button>` : nothing}
      </div>
      ${this.#search.isRunning ? this.#progress() : nothing} ${this.fault(this.#search.faultOf(session.sfen))}
      ${answer ? this.#answer(answer.subject, answer.value) : html`<p class="hint">${solve.hint(session.position.side)}</p>`}
      ${this.#options()}`;
  }

  #options(): TemplateResult {
    const { solve } = this.words;
    return html`<details class="options-menu"><summary>${solve.options}</summary><div class="row options">
        <label class="field">${solve.goal}<select @change=${this.entered(({ value }) => (this.#goal = value as SolveRequest['goal']))}>
          <option value="shortest" ?selected=${this.#goal === 'shortest'}>${solve.shortest}</option>
          <option value="any" ?selected=${this.#goal === 'any'}>${solve.first}</option></select></label>
        <label class="field">${solve.limit}<select @change=${this.entered(({ value }) => (this.#limit = LIMITS[Number(value)] ?? null))}>
          ${LIMITS.map((limit, index) => html`<option value=${index} ?selected=${limit === this.#limit}>${limit === null ? solve.noLimit : solve.seconds(limit)}</option>`)}</select></label>
        <label class="field">${solve.table}<select @change=${this.entered(({ value }) => (this.#memory = Number(value)))}>
          ${TABLES.map((size) => html`<option value=${size} ?selected=${size === this.#memory}>${size} MiB</option>`)}</select></label>
        <label><input type="checkbox" .checked=${this.#hideUseless} @change=${this.entered((box) => (this.#hideUseless = box.checked))}> ${solve.hideUseless}</label>
      </div></details>`;
  }

  /** An answer beside a small board with its position; grey while the board shows a position that is not of its line. */
  #answer(subject: string, solved: Solved): TemplateResult {
    const { solve } = this.words;
    const isShown = this.#plyShown(subject, solved) !== null;
    const picture = guard([subject, this.session.choices.faces, this.words], () =>
      pictureAddress(parseSfen(subject)!, { ranks: this.words.ranks, faces: this.session.choices.faces, flipped: false }));
    return html`<section class=${isShown ? 'answer' : 'answer stale'} aria-label=${solve.answer}>
      <div class="subject"><img src=${picture} alt=${solve.subject} width="480" height="422">
        ${isShown ? nothing : html`<button class="main" @click=${() => this.#show(subject, solved, 0)}>${solve.backToLine}</button>`}</div>
      <div class="outcome">${isShown ? nothing : html`<p class="hint other">${solve.otherPosition}</p>`} ${this.#outcome(subject, solved)}</div></section>`;
  }

  #progress(): TemplateResult {
    const report = this.#search.reportOf(this.session.sfen);
    const { solve } = this.words;
    if (!report) return html`<p class="progress" role="status">${solve.searching}</p>`;
    const number = (value: number) => (value >= 1e9 ? '∞' : grouped(value));
    return html`<div class="progress" role="status" aria-live="off"><p>${solve.searching}
        <b class="number">${this.words.positions(report.nodes)}</b> · ${(report.nodes / Math.max(report.seconds, 0.001) / 1e6).toFixed(2)} M/s · ${report.seconds.toFixed(1)} s</p>
      <p class="hint number">${solve.numbers(number(report.proof), number(report.disproof))} ${report.shortest === null ? nothing : solve.soFar(report.shortest)}</p>
      <p class="hint mono clip">${report.line.join(' ')}</p></div>`;
  }

  #outcome(subject: string, solved: Solved): TemplateResult {
    const { solve } = this.words;
    const { verdict } = solved;
    const numbers = html`<p class="hint number">${this.words.positions(solved.nodes)} · ${solved.seconds.toFixed(2)} s</p>`;
    switch (verdict.is) {
      case 'mate':
        return html`<div class="verdict" role="status"><h2>${solve.mate(verdict.length)}</h2>
          <p>${verdict.exact ? solve.exact : solve.notExact} ${this.#end(verdict)}</p>${numbers}</div>
          ${this.#line(subject, solved, verdict.line)}
          ${this.session.workers?.solver.holds(solved) ? html`${this.#tree(solved)}
            <komabako-problem-check .session=${this.session} .solved=${solved}></komabako-problem-check>` : nothing}`;
      case 'no-mate':
        return html`<div class="verdict" role="status"><h2>${solve.noMate}</h2><p>${solve.why[verdict.why]}</p>${numbers}</div>
          ${verdict.replies.length ? this.#replies(solved, verdict.replies) : nothing}`;
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

  /** Each check and the reply to it, played on the board by a click. */
  #replies(solved: Solved, replies: readonly { readonly check: MoveText; readonly reply: string }[]): TemplateResult {
    const { solve } = this.words;
    const { sfen } = solved.started;
    const start = parseSfen(sfen)!;
    return html`<table class="list replies"><thead><tr><th scope="col">${solve.check}</th><th scope="col">${solve.escape}</th></tr></thead>
      <tbody>${guard([solved, this.words], () => replies.map(({ check, reply }) => {
        const played = this.session.module?.call('play', { sfen, moves: [check.usi, reply] }).ok?.moves ?? [];
        const after = applyMove(start, check.usi);
        const open = (ply: number) => this.session.openGame(goToPly(playMoves(newGame(start), played), ply));
        const cell = (text: string, ply: number) => html`<td><button class="quiet link" @click=${() => open(ply)}>${text}</button></td>`;
        return html`<tr>${cell(this.#text(check, sfen), 1)}${cell(played[1] && after ? this.#text(played[1], formatSfen(after)) : reply, 2)}</tr>`;
      }))}</tbody></table>`;
  }

  #line(subject: string, solved: Solved, line: readonly MoveText[]): TemplateResult {
    const { session } = this;
    const { solve } = this.words;
    const shown = this.#plyShown(subject, solved);
    let before = solved.started.sfen;
    const items = line.map((move, index) => {
      const text = this.#text(move, before);
      before = (move as MoveText & { sfen: string }).sfen;
      return html`<li><button class="quiet" aria-current=${shown === index + 1 ? 'step' : 'false'} @click=${() => this.#show(subject, solved, index + 1)}>${text}</button></li>`;
    });
    return html`<ol class="line" aria-label=${solve.line}>${items}</ol>
      <p class="hint mono usi">${line.map((move) => move.usi).join(' ')}</p>
      <div class="row">
        <button @click=${() => this.#togglePlaying(subject, solved)}>${this.#player ? solve.stop : solve.play}</button>
        <button class="icon" aria-label=${this.words.previous} ?disabled=${!shown} @click=${() => session.step(-1)}>‹</button>
        <button class="icon" aria-label=${this.words.next} ?disabled=${shown === line.length} @click=${() => this.#stepLine(subject, solved)}>›</button>
        <button class="quiet" @click=${() => this.#export(solved, line)}>${solve.exportKif}</button>
      </div>`;
  }

  #text(move: MoveText, before: string): string {
    const setup = this.session.language === 'en' ? parseSfen(before) : null;
    return setup ? western(setup, move.usi) : move.japanese;
  }

  /** The line from the solved position, in which the defender holds all remaining pieces if the attacker has no king. */
  #game(solved: Solved, line: readonly MoveText[]): Game {
    return playMoves(newGame(parseSfen(solved.started.sfen)!), line);
  }

  /** The number of moves of the line after which the board's position stands; null if the position is not of the line. */
  #plyShown(subject: string, { started, verdict }: Solved): number | null {
    const shown = withoutPly(this.session.sfen);
    if (shown === withoutPly(subject) || shown === withoutPly(started.sfen)) return 0;
    const index = verdict.is === 'mate' ? verdict.line.findIndex(({ sfen }) => withoutPly(sfen) === shown) : -1;
    return index < 0 ? null : index + 1;
  }

  /** Shows a position of the line: in the game on the board if it is that line, else in a new game. */
  #show(subject: string, solved: Solved, ply: number): void {
    const { session } = this;
    const { verdict } = solved;
    if (verdict.is !== 'mate') return session.openGame(newGame(parseSfen(subject)!));
    const game = this.#game(solved, verdict.line);
    const isLine = formatSfen(session.game.start) === formatSfen(game.start) && movesPlayed(goToPly(session.game, Infinity)).join() === verdict.line.map(({ usi }) => usi).join();
    if (isLine) session.step(ply - session.game.path.length);
    else session.openGame(goToPly(game, ply));
  }

  #stepLine(subject: string, solved: Solved): void {
    this.#show(subject, solved, (this.#plyShown(subject, solved) ?? 0) + 1);
  }

  #togglePlaying(subject: string, solved: Solved): void {
    if (this.#player) {
      this.#stopPlaying();
      return;
    }
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      this.#stepLine(subject, solved);
      return;
    }
    this.#show(subject, solved, 0);
    this.#player = setInterval(() => {
      const shown = this.#plyShown(subject, solved);
      const isEnd = solved.verdict.is !== 'mate' || shown === solved.verdict.line.length;
      if (shown === null || isEnd) this.#stopPlaying();
      else this.#stepLine(subject, solved);
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
    return html`<details class="tree" @toggle=${() => void this.#open(solved, [])}><summary>${this.words.solve.tree}</summary>
      <ul role="tree" aria-label=${this.words.solve.tree} @keydown=${(event: KeyboardEvent) => this.#onTreeKey(solved, event)}>${this.#branches(solved, [], solved.started.sfen)}</ul></details>`;
  }

  #treeOf(solved: Solved): Map<string, readonly SolveChild[] | 'busy'> {
    const tree = this.#trees.get(solved) ?? new Map<string, readonly SolveChild[] | 'busy'>();
    this.#trees.set(solved, tree);
    return tree;
  }

  #branches(solved: Solved, path: readonly string[], sfen: string): TemplateResult | readonly TemplateResult[] {
    const tree = this.#treeOf(solved);
    const children = tree.get(path.join(' '));
    if (!children) return html``;
    if (children === 'busy') return html`<li role="treeitem" aria-selected="false">…</li>`;
    return children.map((child, index) => {
      const below = [...path, child.usi];
      const key = below.join(' ');
      const open = tree.has(key);
      const setup = parseSfen(sfen);
      const after = setup && applyMove(setup, child.usi);
      const length = child.status === 'mate' ? this.words.solve.length(child.length ?? 0) : this.words.solve.status[child.status];
      return html`<li role="none"><div role="treeitem" tabindex=${path.length === 0 && index === 0 ? 0 : -1} aria-expanded=${open} aria-selected="false" data-path=${key}
          @click=${() => void this.#toggle(solved, below)}><span class="mark" aria-hidden="true">${open ? '▾' : '▸'}</span> ${this.#text(child, sfen)} <small>${length}</small></div>
        ${open && after ? html`<ul role="group">${this.#branches(solved, below, formatSfen(after))}</ul>` : nothing}</li>`;
    });
  }

  async #toggle(solved: Solved, path: readonly string[]): Promise<void> {
    if (this.#treeOf(solved).delete(path.join(' '))) this.requestUpdate();
    else await this.#open(solved, path);
  }

  async #open(solved: Solved, path: readonly string[]): Promise<void> {
    const key = path.join(' ');
    const tree = this.#treeOf(solved);
    const client = this.session.workers?.solver;
    if (!client?.holds(solved) || tree.has(key)) return;
    tree.set(key, 'busy');
    this.requestUpdate();
    try {
      tree.set(key, await client.run('children', { path: [...path], nodes: CHILD_NODES }).result);
    } catch (error) {
      if (!(error instanceof TaskFailed)) throw error;
      tree.delete(key);
      this.session.say(this.words.sentenceOf(error.fault));
    }
    this.requestUpdate();
  }

  /** Handles keys as usual for trees: up and down move, right opens, left closes. */
  #onTreeKey(solved: Solved, event: KeyboardEvent): void {
    const items = [...this.querySelectorAll<HTMLElement>('[role=treeitem][data-path]')];
    const at = items.indexOf(event.target as HTMLElement);
    const item = items[at];
    if (!item) return;
    const path = item.dataset['path']!.split(' ');
    const open = item.getAttribute('aria-expanded') === 'true';
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) items[at + move]?.focus();
    else if (event.key === 'Enter' || event.key === ' ' || (event.key === 'ArrowRight' && !open) || (event.key === 'ArrowLeft' && open)) void this.#toggle(solved, path);
    else return;
    event.preventDefault();
  }

  #export(solved: Solved, line: readonly MoveText[]): void {
    const game = withVariations(this.#game(solved, line), this.#treeOf(solved));
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
    const request = { sfen, goal: this.#goal, hideUseless: this.#hideUseless, memory: this.#memory, seconds: this.#limit };
    await this.#search.run(sfen, (report) => client.run('solve', request, report));
    // The memory of a module never shrinks; only terminating the worker frees it.
    if (this.#search.faultOf(sfen)) client.close();
  }
}

/** A position without the number of its move, which is not part of it. */
function withoutPly(sfen: string): string {
  return sfen.split(' ').slice(0, 3).join(' ');
}

customElements.define('komabako-solve-tab', SolveTab);
