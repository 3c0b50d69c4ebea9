import { type TemplateResult, html, nothing } from 'lit';
import { currentNode, playerName } from '../model/game.js';
import { COLORS } from '../model/piece.js';
import { SessionElement } from './element.js';
import { GAME_FORMATS, saveGame } from './written.js';

/** What a record says besides its moves: at the start its header, and the comments of the current move. Comments and names
 * can be edited, and the game saved. */
export class GameNotes extends SessionElement {
  #status: string | null = null;

  protected override sessionChanged(): void {
    this.#status = null;
  }

  protected override render(): TemplateResult {
    const { session, words } = this;
    const { game } = session;
    const node = currentNode(game) ?? game;
    const header = node === game ? game.header : [];
    const ends = node.ends.flatMap(({ comments }) => comments);
    return html`${header.length + node.comments.length + ends.length === 0 ? nothing : html`<div class="comments" tabindex="0">
        ${header.length ? html`<dl>${header.map(([key, value]) => html`<div><dt>${words.headerKey(key)}</dt><dd>${value}</dd></div>`)}</dl>` : nothing}
        ${[...node.comments, ...ends].map((comment) => html`<p>${comment}</p>`)}</div>`}
      <details class="edit"><summary>${words.editNotes}</summary>
        <div class="row fields">${COLORS.map((color) => html`<label class="field">${words.ownerMark(color)}
          <input type="text" @input=${this.entered(({ value }) => session.setName(color, value))}></label>`)}</div>
        <label class="comment">${node === game ? words.commentOfStart : words.commentOfMove}
          <textarea rows="4" @input=${this.entered(({ value }) => session.setComment(value))}></textarea></label></details>
      <div class="row save"><span>${words.saveGame}</span>
        ${session.module ? GAME_FORMATS.map((format) => html`<button @click=${() => this.#save(format)}>${format.toUpperCase()}</button>`) : nothing}
        <span class="hint" role="status">${this.#status}</span></div>`;
  }

  /** The texts of the boxes, which differ from the drawn ones once something is typed. */
  protected override updated(): void {
    const { game } = this.session;
    const { comments } = currentNode(game) ?? game;
    const texts = [...COLORS.map((color) => playerName(game, color) ?? ''), comments.join('\n')];
    for (const [index, box] of this.querySelectorAll<HTMLInputElement>('.edit input, .edit textarea').entries()) {
      if (box.value !== texts[index]) box.value = texts[index]!;
    }
  }

  #save(format: (typeof GAME_FORMATS)[number]): void {
    this.#status = saveGame(this.session, format);
    this.requestUpdate();
  }
}

customElements.define('komabako-game-notes', GameNotes);
