import { type TemplateResult, html, nothing } from 'lit';
import { type Style, boardPicture } from '../board/picture.js';
import { formatSfen } from '../model/sfen.js';
import { movesPlayed } from '../model/game.js';
import type { GameFormat } from '../module.js';
import { failure } from '../work/failures.js';
import { download } from './download.js';
import { SessionDialog } from './dialog.js';
import { GAME_FORMATS, writtenGame } from './written.js';

/** Copies the position and the game in any format to the clipboard or a file. */
export class CopyDialog extends SessionDialog {
  #status: string | null = null;
  /** A text that the browser did not allow us to copy. */
  #text: string | null = null;

  override open(): void {
    this.#status = null;
    this.#text = null;
    super.open();
  }

  protected get heading(): string {
    return this.words.copyMenu.title;
  }

  protected content(): TemplateResult {
    const { words, session } = this;
    const menu = words.copyMenu;
    const button = (name: string, act: () => void) => html`<button @click=${act}>${name}</button>`;
    return html`<div class="row">${button(menu.link, () => void this.#copyLink())}</div>
      <h3>${menu.text}</h3>
      <div class="row">
        ${button('SFEN', () => void this.#copy('SFEN', session.sfen))} ${button('USI', () => void this.#copy('USI', this.#usi()))}
        ${session.module ? GAME_FORMATS.map((format) => button(format.toUpperCase(), () => this.#copyGame(format, format.toUpperCase()))) : nothing}
        ${session.module ? button('BOD', () => this.#copyBod()) : nothing}
      </div>
      ${this.#hex()}
      <h3>${menu.picture}</h3>
      ${(['board', 'book'] as const).map((style) => html`<div class="row pictures" role="group" aria-label=${menu.styles[style]}><span>${menu.styles[style]}</span>
        ${button(menu.svg, () => download(`${style}.svg`, new Blob([this.#svg(style)], { type: 'image/svg+xml' })))}
        ${button(menu.png, () => void this.#savePicture(style))}
        ${button(menu.copyPicture, () => void this.#copyPicture(style))}</div>`)}
      <p role="status" class="hint">${this.#status}</p>
      ${this.#text === null ? nothing : html`<textarea class="mono" rows="6" readonly aria-label=${menu.text} .value=${this.#text}></textarea>`}
      <form method="dialog" class="row end"><button>${words.close}</button></form>`;
  }

  #hex(): TemplateResult | typeof nothing {
    const { session, words } = this;
    const held = (session.module?.call('words', { sfen: session.sfen }).ok ?? []).filter((word) => word.hex !== null);
    if (held.length === 0) return nothing;
    return html`<h3>${words.copyMenu.packed}</h3><div class="row">${held.map((word) =>
      html`<button @click=${() => void this.#copy(word.format, word.hex!)}>${word.format}</button>`)}</div>`;
  }

  #usi(): string {
    const { game } = this.session;
    const moves = movesPlayed(game);
    return `position sfen ${formatSfen(game.start)}${moves.length ? ` moves ${moves.join(' ')}` : ''}`;
  }

  #copyGame(format: GameFormat, name: string): void {
    const written = writtenGame(this.session, format);
    if ('why' in written) this.#say(written.why);
    else void this.#copy(name, written.text, written.lack);
  }

  async #copyLink(): Promise<void> {
    const { address, lack } = await this.session.link();
    await this.#copy(this.words.copyMenu.link, address, lack);
  }

  #copyBod(): void {
    const answer = this.session.module!.call('bod', { sfen: this.session.sfen });
    if (answer.error) this.#say(this.words.sentenceOf(answer.error));
    else void this.#copy('BOD', answer.ok!.text);
  }

  /** Copies a text, and says what it lacks. */
  async #copy(name: string, text: string, lack = ''): Promise<void> {
    const { copyMenu } = this.words;
    try {
      await navigator.clipboard.writeText(text);
      this.#text = null;
      this.#say([copyMenu.copied(name), lack].filter(Boolean).join(' '));
    } catch {
      this.#text = text;
      this.#say([copyMenu.show, lack].filter(Boolean).join(' '));
    }
  }

  #say(sentence: string): void {
    this.#status = sentence;
    this.requestUpdate();
  }

  async #savePicture(style: Style): Promise<void> {
    try {
      download(`${style}.png`, await this.#png(style));
      this.#say(this.words.copyMenu.saved(`${style}.png`));
    } catch (error) {
      this.#say(this.words.sentenceOf(failure(error)));
    }
  }

  async #copyPicture(style: Style): Promise<void> {
    const { copyMenu } = this.words;
    try {
      // Safari requires the promise, because it counts the time since the click.
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': this.#png(style) })]);
      this.#say(copyMenu.copied(copyMenu.styles[style]));
    } catch {
      this.#say(copyMenu.noPicture);
    }
  }

  #svg(style: Style): string {
    const { session } = this;
    return boardPicture(session.position, { ranks: this.words.ranks, faces: session.choices.faces, flipped: session.flipped }, style);
  }

  /** Draws the picture on a canvas at twice its size; no data leaves the page. */
  async #png(style: Style): Promise<Blob> {
    const image = new Image();
    const url = URL.createObjectURL(new Blob([this.#svg(style)], { type: 'image/svg+xml' }));
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.width * 2;
    canvas.height = image.height * 2;
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(url);
    return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob!), 'image/png'));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'komabako-copy-dialog': CopyDialog;
  }
}
customElements.define('komabako-copy-dialog', CopyDialog);
