import { type TemplateResult, html, nothing } from 'lit';
import { parseSfen } from '../model/sfen.js';
import { SessionDialog } from './dialog.js';
import type { Opening } from './source.js';

/** One text box for any input, and the errors or choices that a paste or a drop left open. */
export class PasteDialog extends SessionDialog {
  protected get heading(): string {
    return this.words.paste.title;
  }

  protected content(): TemplateResult {
    const { paste } = this.words;
    const { opening } = this.session;
    return html`<p class="hint">${paste.hint}</p>
      <label class="hidden" for="paste-text">${paste.label}</label>
      <textarea id="paste-text" class="mono" rows="8" spellcheck="false"></textarea>
      ${opening ? this.#opening(opening) : nothing}
      <div class="row end">
        <button class="main" @click=${this.#read}>${paste.open}</button>
        <label class="button"><input type="file" class="hidden" @change=${this.#onFile}>${this.words.files.choose}</label>
        <button @click=${this.close}>${this.words.close}</button>
      </div>`;
  }

  #opening(opening: Opening): TemplateResult {
    const { session, words } = this;
    if ('error' in opening) {
      const { error, line } = opening;
      return html`<div class="fault" role="alert"><p>${words.sentenceOf(error)}</p>
        ${line === null ? nothing : html`<pre class="mono" tabindex="0">${line}${'\n'}${' '.repeat(displayWidth(line, (error.column ?? 1) - 1))}^</pre>`}</div>`;
    }
    return html`<p>${words.paste.whichFormat}</p><div class="row">${opening.words.map((word) =>
      html`<button @click=${() => this.#choose(() => session.edit(parseSfen(word.sfen!)!))}>${words.bits.formatName(word.format)}</button>`)}</div>`;
  }

  #choose(act: () => void): void {
    act();
    this.session.opening = null;
    this.close();
  }

  async #read(): Promise<void> {
    const text = this.querySelector('textarea')!.value;
    await this.session.open(text);
    this.requestUpdate();
    if (!this.session.opening) this.close();
  }

  async #onFile(event: Event): Promise<void> {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = '';
    if (!file) return;
    await this.session.open(file);
    this.requestUpdate();
    if (!this.session.opening) this.close();
  }

  protected override closed(): void {
    this.session.opening = null;
    super.closed();
  }
}

/** The width in columns of the first `count` characters of a line; kanji take two. */
function displayWidth(line: string, count: number): number {
  return [...line].slice(0, count).reduce((width, character) => width + (character.charCodeAt(0) < 0x1100 ? 1 : 2), 0);
}

declare global {
  interface HTMLElementTagNameMap {
    'komabako-paste-dialog': PasteDialog;
  }
}
customElements.define('komabako-paste-dialog', PasteDialog);
