import { type TemplateResult, html, nothing } from 'lit';
import type { WordFormat } from '../module.js';
import { download } from './download.js';
import { SessionElement } from './element.js';

/** The programs of `docs/decode`: of each language the extension, the file that all of them use, and the command. */
const LANGUAGES = {
  Rust: { extension: 'rs', shared: 'position.rs', run: (file: string) => `rustc --edition 2024 -o decode ${file} && ./decode` },
  'C++': { extension: 'cpp', shared: 'position.hpp', run: (file: string) => `c++ -std=c++17 -o decode ${file} && ./decode` },
  Python: { extension: 'py', shared: 'position.py', run: (file: string) => `python3 ${file}` },
} as const;
type LanguageName = keyof typeof LANGUAGES;

/** The program and the specification of each format. */
const FORMATS: Readonly<Record<WordFormat, readonly [string, string]>> = {
  sspfv1: ['sspf', 'codec/spec/sspf-family'],
  psv: ['huffman', 'codec/spec/formats'],
  hcp: ['huffman', 'codec/spec/formats'],
  nshogi: ['huffman', 'codec/spec/formats'],
  'sspfv1-ext': ['sspf', 'variants/spec/ext'],
  c250: ['c250', 'variants/spec/c250'],
  r238: ['r238', 'variants/spec/r238'],
};
const REPOSITORY = 'https://github.com/komabako/komabako/blob/main/crates/komabako-';

/** The texts of all programs by file, loaded when a reader first asks for one. */
let programs: Readonly<Record<string, string>> | null = null;

/** How to decode the shown word without us: a program in three languages. */
export class Decoders extends SessionElement {
  static override properties = { ...SessionElement.properties, format: { attribute: false }, hex: { attribute: false } };
  declare format: WordFormat;
  declare hex: string;
  #language: LanguageName = 'Python';
  #isOpen = false;
  #isMissing = false;

  protected override render(): TemplateResult {
    const { decode } = this.words.bits;
    return html`<details @toggle=${this.#onToggle}><summary>${decode.title}</summary>
      ${this.#isMissing ? html`<p class="fault" role="alert">${decode.missing}</p>` : this.#isOpen && programs ? this.#programs(programs) : nothing}</details>`;
  }

  #programs(texts: Readonly<Record<string, string>>): TemplateResult {
    const { decode } = this.words.bits;
    const [name, specification] = FORMATS[this.format];
    const { extension, shared, run } = LANGUAGES[this.#language];
    const file = `${name}.${extension}`;
    return html`<label class="field">${this.words.display.language}<select @change=${this.#onLanguage}>${Object.keys(LANGUAGES).map(
      (one) => html`<option ?selected=${one === this.#language}>${one}</option>`,
    )}</select></label>
      <p class="hint">${decode.hint} <a href="${REPOSITORY}${specification}.md">${decode.specification}</a></p>
      <pre class="scroll command" tabindex="0">${run(file)} ${this.format} ${this.hex}</pre>
      ${[file, shared].map(
        (one) => html`<button @click=${() => download(one, new Blob([texts[one]!]))}>${decode.save(one)}</button>
        <pre class="scroll" tabindex="0" aria-label=${one}>${texts[one]}</pre>`,
      )}`;
  }

  async #onToggle(event: Event): Promise<void> {
    this.#isOpen = (event.target as HTMLDetailsElement).open;
    if (this.#isOpen && !programs) {
      try {
        programs = (await (await fetch(DECODERS)).json()) as Record<string, string>;
        this.#isMissing = false;
      } catch {
        this.#isMissing = true;
      }
    }
    this.requestUpdate();
  }

  #onLanguage(event: Event): void {
    this.#language = (event.target as HTMLSelectElement).value as LanguageName;
    this.requestUpdate();
  }
}

customElements.define('komabako-decoders', Decoders);
