import { type TemplateResult, html, nothing } from 'lit';
import { isPlain, lineThrough, timesUsed, variationDepth } from '../model/game.js';
import { clock } from '../model/notation.js';
import { COLORS } from '../model/piece.js';
import { titleOf } from './collection.js';
import { SessionElement } from './element.js';
import './first-visit.js';
import './game-notes.js';
import './move-tree.js';
import './problem-list.js';
import './score-graph.js';

/** The game: its moves with variations and comments, and the other games that were opened with it. */
export class GameTab extends SessionElement {
  protected override render(): TemplateResult {
    return html`${this.#collection()} ${this.#standing()} ${this.#navigation()} ${this.#record()}`;
  }

  /** The games or positions that were opened together. */
  #collection(): TemplateResult | typeof nothing {
    const { session, words } = this;
    const { collection } = session;
    if (!collection) return nothing;
    return html`<details class="collection" open><summary>${[collection.name, words.paste.games(collection.items.length, collection.isCut)].filter(Boolean).join(': ')}</summary>
      <ol>${collection.items.map((item, index) => html`<li><button class="quiet link" aria-current=${index === collection.current}
        @click=${() => void collection.open(index)}>${item.name || words.paste.game(index + 1)}</button></li>`)}</ol>
      <komabako-problem-list .session=${session}></komabako-problem-list></details>`;
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
    return html`<p class="standing"><span role="status"><b>${words.turnOf(session.position.side)}</b> ${sentences.join(' ')}</span> ${this.#clocks()}</p>`;
  }

  /** The time that the players have used. */
  #clocks(): TemplateResult | typeof nothing {
    const used = timesUsed(this.session.game);
    if (!used) return nothing;
    return html`<span class="clocks" title=${this.words.timeUsed}>${COLORS.map((color) => html`<span>${color === 'black' ? '☗' : '☖'} ${clock(used[color])}</span>`)}</span>`;
  }

  #navigation(): TemplateResult {
    const { words, session } = this;
    const at = session.game.path.length;
    const end = lineThrough(session.game).length;
    const step = (name: string, sign: string, by: number, off: boolean) =>
      html`<button class="icon" aria-label=${name} title=${name} ?disabled=${off} @click=${() => session.step(by)}>${sign}</button>`;
    const tool = (sign: string, name: string, act: () => void) => html`<button class="quiet" aria-label=${name} title=${name} @click=${act}>${sign}</button>`;
    return html`<div class="row navigation">
      ${step(words.first, '«', -Infinity, at === 0)} ${step(words.previous, '‹', -1, at === 0)}
      <span class="number">${at} / ${end}</span>
      ${step(words.next, '›', 1, at === end)} ${step(words.last, '»', Infinity, at === end)}
      <span class="branch">${variationDepth(session.game) >= 0 ? tool('↥', words.promoteBranch, () => session.promoteBranch()) : nothing}
      ${at === 0 ? nothing : tool('✕', words.removeBranch, () => session.removeBranch())}</span>
    </div>`;
  }

  /** The moves and what belongs to them; before the first move, what can be done. */
  #record(): TemplateResult {
    const { session, words } = this;
    const { game } = session;
    if (game.children.length === 0 && isPlain(game)) {
      if (session.isFirstVisit) return html`<komabako-first-visit .session=${session}></komabako-first-visit>`;
      return html`<p class="hint">${session.mode === 'play' ? words.playHint : nothing}</p>${this.#earlier()}`;
    }
    return html`<komabako-score-graph .session=${session}></komabako-score-graph>
      <komabako-move-tree .session=${session}></komabako-move-tree>
      <komabako-game-notes .session=${session}></komabako-game-notes>`;
  }

  /** The game of the last visit. */
  #earlier(): TemplateResult | typeof nothing {
    const { session, words } = this;
    if (!session.earlier || session.canUndo) return nothing;
    const { earlier } = session;
    return html`<button @click=${() => session.continueEarlier()}>${words.continueGame(titleOf(earlier), lineThrough(earlier).length)}</button>`;
  }
}

customElements.define('komabako-game-tab', GameTab);
