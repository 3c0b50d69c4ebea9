import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { type GameNode, type Path, applyMove, lineThrough, nodesAlong } from '../model/game.js';
import { western } from '../model/notation.js';
import type { Setup } from '../model/setup.js';
import { SessionElement } from './element.js';
import './first-visit.js';
import './problem-list.js';

/** The game: its moves with variations and comments, and the other games that were opened with it. */
export class GameTab extends SessionElement {
  protected override render(): TemplateResult {
    return html`${this.#collection()} ${this.#standing()} ${this.#navigation()} ${this.#moves()} ${this.#comments()}`;
  }

  /** The games or positions that were opened together. */
  #collection(): TemplateResult | typeof nothing {
    const { session, words } = this;
    const { collection } = session;
    if (!collection) return nothing;
    return html`<details class="collection" open><summary>${[collection.name, words.paste.games(collection.items.length)].filter(Boolean).join(': ')}</summary>
      <ol>${collection.items.map((item, index) => html`<li><button type="button" class="quiet link" aria-current=${index === collection.current}
        @click=${() => void collection.open(index)}>${item.name || words.paste.game(index + 1)}</button></li>`)}</ol>
      <komabako-problem-list .session=${session} .collection=${collection}></komabako-problem-list></details>`;
  }

  #standing(): TemplateResult {
    const { words, session } = this;
    if (session.moduleState === 'loading') return html`<p class="hint">${words.loading}</p>`;
    if (session.moduleState === 'missing') return html`<p class="fault" role="alert">${words.moduleMissing}</p>`;
    const { info, legal } = session;
    if (info && !info.playable) {
      return html`<div class="fault" role="status"><p>${words.cannotPlay}</p>
        <ul>${info.faults.map((fault) => html`<li>${words.sentenceOf(fault)}</li>`)}</ul></div>`;
    }
    const standing = legal?.standing;
    const texts = words.standing;
    const sentences = standing
      ? [
          standing.over && texts[standing.over],
          standing.check && !standing.over && texts.check,
          standing.repetition && (standing.repetition.draw ? texts.repetition : texts.perpetual(standing.repetition.loser)),
          standing.declaration !== null && texts.declaration(standing.declaration),
        ].filter((sentence): sentence is string => typeof sentence === 'string')
      : [];
    return html`<p class="standing" role="status"><b>${words.turnOf(session.position.side)}</b> ${sentences.join(' ')}</p>`;
  }

  #navigation(): TemplateResult {
    const { words, session } = this;
    const at = session.game.path.length;
    const end = lineThrough(session.game).length;
    const step = (name: string, sign: string, by: number, off: boolean) =>
      html`<button type="button" class="icon" aria-label=${name} title=${name} ?disabled=${off} @click=${() => session.step(by)}>${sign}</button>`;
    return html`<div class="row navigation">
      ${step(words.first, '«', -Infinity, at === 0)} ${step(words.previous, '‹', -1, at === 0)}
      <span class="number">${at} / ${end}</span>
      ${step(words.next, '›', 1, at === end)} ${step(words.last, '»', Infinity, at === end)}
      ${at === 0 ? nothing : html`<button type="button" class="quiet" aria-label=${words.removeBranch} title=${words.removeBranch} @click=${() => session.removeBranch()}>✕</button>`}
    </div>`;
  }

  /** The line of moves. It is drawn once a line; a step only moves the mark of the current move: see `updated`. */
  #moves(): TemplateResult {
    const { session, words } = this;
    const { game } = session;
    const line = lineThrough(game);
    if (line.length === 0) {
      if (session.isFirstVisit) return html`<komabako-first-visit .session=${session}></komabako-first-visit>`;
      return html`<p class="hint">${session.mode === 'play' ? words.playHint : nothing}</p>`;
    }
    const rows = guard([game.start, game.children, line.join(), words], () => this.#rows(line));
    return html`<ol class="moves" aria-label=${words.gameMoves} @click=${this.#onMove}>${rows}</ol>`;
  }

  #rows(line: Path): TemplateResult[] {
    const { game } = this.session;
    const nodes = nodesAlong(game, line);
    // Positions are computed once along the line: replaying for each move would be quadratic in the game's length.
    let before = game.start;
    const rows = nodes.map((node, index) => {
      const siblings = (nodes[index - 1] ?? game).children;
      const row = html`<li>${this.#entry(this.#text(node, before), index + 1, String(before.ply), node)}
        ${siblings.length > 1 ? this.#variations(siblings, index, line[index]!, before) : nothing}
        ${node.end && node.children.length === 0 ? html`<span class="end">${this.words.ending(node.end)}</span>` : nothing}</li>`;
      before = applyMove(before, node.usi) ?? before;
      return row;
    });
    return [html`<li>${this.#entry(this.words.startPosition, 0, '0')}</li>`, ...rows];
  }

  #variations(siblings: readonly GameNode[], ply: number, shown: number, before: Setup): TemplateResult {
    return html`<span class="variations" role="group" aria-label=${this.words.variations}>
      ${siblings.map((node, index) =>
        index === shown ? nothing : html`<button type="button" class="quiet" data-ply=${ply} data-index=${index}>${this.#text(node, before)}</button>`,
      )}</span>`;
  }

  #entry(text: string, ply: number, number: string, node?: GameNode): TemplateResult {
    return html`<button type="button" class="move" data-ply=${ply}>
      <span class="number">${number}</span> <span class="text">${text}</span>
      ${node?.comments.length ? html`<span class="has-comment" aria-hidden="true">＊</span>` : nothing}
      ${node?.score ? html`<span class="score" title=${this.words.scoreName}>${this.words.scoreText(node.score)}</span>` : nothing}
      ${node && node.time !== null ? html`<span class="time">${clock(node.time)}</span>` : nothing}</button>`;
  }

  /** Goes to a move of the line or, with an index, to one beside it. */
  #onMove(event: MouseEvent): void {
    const { ply, index } = (event.target as Element).closest<HTMLElement>('[data-ply]')?.dataset ?? {};
    if (ply === undefined) return;
    const path = lineThrough(this.session.game).slice(0, Number(ply));
    this.session.go(index === undefined ? path : [...path, Number(index)]);
  }

  #text(node: GameNode, before: Setup): string {
    if (this.session.language === 'ja' && node.japanese) return node.japanese;
    const text = western(before, node.usi);
    return this.session.language === 'ja' ? `${before.side === 'black' ? '▲' : '△'}${text}` : text;
  }

  #comments(): TemplateResult | typeof nothing {
    const { game } = this.session;
    const comments = nodesAlong(game).at(-1)?.comments ?? (game.path.length === 0 ? game.comments : []);
    const header = game.path.length === 0 ? game.header : [];
    const end = game.path.length === 0 && game.children.length === 0 ? game.end : null;
    if (comments.length === 0 && header.length === 0 && end === null) return nothing;
    return html`<div class="comments">
      ${end === null ? nothing : html`<p class="end">${this.words.ending(end)}</p>`}
      ${header.length ? html`<dl>${header.map(([key, value]) => html`<div><dt>${this.words.headerKey(key)}</dt><dd>${value}</dd></div>`)}</dl>` : nothing}
      ${comments.map((comment) => html`<p>${comment}</p>`)}</div>`;
  }

  protected override updated(): void {
    const list = this.querySelector<HTMLElement>('.moves');
    if (!list) return;
    const wanted = list.querySelector<HTMLElement>(`.move[data-ply="${this.session.game.path.length}"]`);
    const marked = list.querySelector<HTMLElement>('[aria-current=step]');
    if (!wanted || wanted === marked) return;
    marked?.removeAttribute('aria-current');
    wanted.setAttribute('aria-current', 'step');
    // `scrollIntoView` would also scroll the whole page, away from the board.
    list.scrollTop = wanted.parentElement!.offsetTop - list.clientHeight / 2;
  }
}

/** Formats milliseconds as `1:05`. */
function clock(time: number): string {
  const seconds = Math.round(time / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

customElements.define('komabako-game-tab', GameTab);
