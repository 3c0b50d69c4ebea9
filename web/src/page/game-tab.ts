import { type TemplateResult, html, nothing } from 'lit';
import { type GameNode, type Path, applyMove, lineThrough, nodesAlong } from '../model/game.js';
import { western } from '../model/notation.js';
import type { Setup } from '../model/setup.js';
import { SessionElement } from './element.js';
import './setup-tools.js';

/** The game: moves with variations and comments in play mode, the set-up tools in set-up mode. */
export class GameTab extends SessionElement {
  protected override render(): TemplateResult {
    if (this.session.mode === 'setup') {
      return html`<p class="hint">${this.words.setupHint}</p><komabako-setup-tools .session=${this.session}></komabako-setup-tools>`;
    }
    return html`${this.#standing()} ${this.#navigation()} ${this.#moves()} ${this.#comments()}`;
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
      <button type="button" class="quiet" ?disabled=${at === 0} @click=${() => session.removeBranch()}>${words.removeBranch}</button>
    </div>`;
  }

  #moves(): TemplateResult {
    const { session, words } = this;
    const { game } = session;
    const line = lineThrough(game);
    const nodes = nodesAlong(game, line);
    if (nodes.length === 0) return html`<p class="hint">${words.playHint}</p>${this.#tour()}`;
    // Positions are computed once along the line: replaying for each move would be quadratic in the game's length.
    let before = game.start;
    const rows = nodes.map((node, index) => {
      const parent = line.slice(0, index);
      const siblings = (nodes[index - 1] ?? game).children;
      const row = html`<li>${this.#move(node, line.slice(0, index + 1), before)}
        ${siblings.length > 1 ? this.#variations(siblings, parent, line[index]!, before) : nothing}
        ${node.end && node.children.length === 0 ? html`<span class="end">${node.end}</span>` : nothing}</li>`;
      before = applyMove(before, node.usi) ?? before;
      return row;
    });
    return html`<ol class="moves" aria-label=${words.gameMoves}>
      <li>${this.#entry(words.startPosition, [], '0', game.path.length === 0)}</li>${rows}</ol>`;
  }

  /** A short tour of the other tabs for new visitors, hidden after the first move. */
  #tour(): TemplateResult {
    const { words, session } = this;
    const entry = (name: string, text: string, act: () => void) =>
      html`<li><button type="button" class="quiet link" @click=${act}>${name}</button> <span>${text}</span></li>`;
    return html`<ul class="tour">${entry(words.modeSetup, words.tour.setup, () => session.setMode('setup'))}
      ${(['bits', 'solve', 'files'] as const).map((tab) => entry(words.tabs[tab]!, words.tour[tab], () => session.setTab(tab)))}</ul>`;
  }

  #variations(siblings: readonly GameNode[], parent: Path, shown: number, before: Setup): TemplateResult {
    return html`<span class="variations" aria-label=${this.words.variations}>
      ${siblings.map((node, index) =>
        index === shown ? nothing : html`<button type="button" class="quiet" @click=${() => this.session.go([...parent, index])}>${this.#text(node, before)}</button>`,
      )}</span>`;
  }

  #move(node: GameNode, path: Path, before: Setup): TemplateResult {
    const here = this.session.game.path.length === path.length && path.every((index, at) => this.session.game.path[at] === index);
    return this.#entry(this.#text(node, before), path, String(before.ply), here, node);
  }

  #entry(text: string, path: Path, number: string, here: boolean, node?: GameNode): TemplateResult {
    return html`<button type="button" class="move" aria-current=${here ? 'step' : 'false'} @click=${() => this.session.go(path)}>
      <span class="number">${number}</span> <span class="text">${text}</span>
      ${node?.comments.length ? html`<span class="has-comment" aria-hidden="true">＊</span>` : nothing}
      ${node?.score ? html`<span class="score" title=${this.words.scoreName}>${this.words.scoreText(node.score)}</span>` : nothing}
      ${node && node.time !== null ? html`<span class="time">${clock(node.time)}</span>` : nothing}</button>`;
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
    if (comments.length === 0 && header.length === 0) return nothing;
    return html`<div class="comments">
      ${header.length ? html`<dl>${header.map(([key, value]) => html`<div><dt>${key}</dt><dd>${value}</dd></div>`)}</dl>` : nothing}
      ${comments.map((comment) => html`<p>${comment}</p>`)}</div>`;
  }

  protected override updated(): void {
    // `scrollIntoView` would also scroll the whole page, away from the board.
    const list = this.querySelector<HTMLElement>('.moves');
    const here = list?.querySelector<HTMLElement>('[aria-current=step]')?.parentElement;
    if (list && here) list.scrollTop = here.offsetTop - list.clientHeight / 2;
  }
}

/** Formats milliseconds as `1:05`. */
function clock(time: number): string {
  const seconds = Math.round(time / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

customElements.define('komabako-game-tab', GameTab);
