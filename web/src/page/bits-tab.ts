import { type PropertyValues, type TemplateResult, html, nothing, svg } from 'lit';
import { type Subject, bitAt, bitsOf, bytesOf, changedBits, placesOf, runAt, toggled } from '../model/bits.js';
import { parseSfen } from '../model/sfen.js';
import { withPly } from '../model/setup.js';
import { fileOf, parseSquare, rankOf } from '../model/square.js';
import { type Decoded, type Field, type Owner, type Word, type WordFormat, WORD_FORMATS } from '../module.js';
import { NARROW, SessionElement } from './element.js';
import './bit-grid.js';
import './decoders.js';

/** An edited word that was refused: it stays on the screen with its fault until the position changes. */
interface Draft {
  readonly hex: string;
  readonly decoded: Decoded;
}

const LONGEST_CODE = 32;
/** The width of the tab in pixels from which 32 bits have room in a row. */
const WIDE = 560;

/** Hatching that distinguishes fields if the user's own colours replace ours: for each background, a path in a square of
 * 7. */
const HATCHES = html`<svg class="hidden" aria-hidden="true">${Object.entries({
  king: 'M0 0 7 7M7 0 0 7', 'square-a': 'M0 7 7 0', 'hand-a': 'M0 3.5H7', 'hand-b': 'M0 1.7H7M0 5.2H7', box: 'M3.5 0V7', payload: 'M1.7 0V7M5.2 0V7',
}).map(([ground, path]) => svg`<pattern id="hatch-${ground}" width="7" height="7" patternUnits="userSpaceOnUse"><path d=${path}></path></pattern>`)}</svg>`;

/** The position's bits in every format; bits highlight squares and squares highlight bits. */
export class BitsTab extends SessionElement {
  #sfen = '';
  #words: readonly Word[] = [];
  /** The words before the last edit, by format. */
  #before = new Map<WordFormat, string | null>();
  #drafts = new Map<WordFormat, Draft>();
  #payload = 0;
  #editing = false;
  #lenient = false;
  #pointed: { format: WordFormat; bit: number } | null = null;
  #side = false;
  #format: WordFormat = 'sspfv1';
  #isWide = false;
  /** The formats whose fields are listed. */
  readonly #listed = new Set<WordFormat>();
  readonly #size = new ResizeObserver(() => {
    const isWide = this.clientWidth >= WIDE;
    if (isWide === this.#isWide) return;
    this.#isWide = isWide;
    this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.#size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size.disconnect();
  }

  protected override willUpdate(_: PropertyValues): void {
    if (this.session.sfen !== this.#sfen && this.session.module) this.#read();
  }

  #read(): void {
    const { module, sfen } = this.session;
    // No word contains the ply, so a change of the ply is not a change of bits.
    if (this.#words.length) this.#before = new Map(this.#words.map((word) => [word.format, word.hex]));
    this.#sfen = sfen;
    this.#words = module?.call('words', { sfen, payload: this.#payload }).ok ?? [];
    this.#drafts.clear();
    this.#pointed = null;
  }

  get #subject(): Subject | null {
    return this.#side ? { at: 'side' } : this.session.hovered;
  }

  protected override render(): TemplateResult {
    const { session } = this;
    const texts = this.words.bits;
    if (!session.module) return html`<p class="hint">${this.words.loading}</p>`;
    const changes = this.#words.map((word) => [word.format, this.#changed(word).size] as const).filter(([, count]) => count > 0);
    return html`<p class="hint">${texts.hint}</p>
      <div class="row options">
        <label><input type="checkbox" .checked=${this.#editing} @change=${this.entered((box) => (this.#editing = box.checked))}> ${texts.edit}</label>
        <label><input type="checkbox" .checked=${this.#lenient} @change=${this.entered((box) => (this.#lenient = box.checked))}> ${texts.lenient}</label>
        <button aria-pressed=${this.#side} @click=${this.entered(() => (this.#side = !this.#side))}>${this.words.sideToMove}</button>
      </div>
      <p class="changes" role="status">${changes.length ? `${texts.changed} ${changes.map(([format, count]) => `${format} ${count}`).join(', ')}` : nothing}</p>
      ${this.#legend()} ${NARROW.matches ? this.#choice() : nothing}
      ${this.#words.filter(({ format }) => !NARROW.matches || format === this.#format).map((word) => this.#word(word))}`;
  }

  #choice(): TemplateResult {
    const { bits } = this.words;
    return html`<label class="field">${bits.format}<select @change=${this.entered(({ value }) => (this.#format = value as WordFormat))}>${WORD_FORMATS.map((format) =>
      html`<option value=${format} ?selected=${format === this.#format}>${bits.formatName(format)}</option>`)}</select></label>`;
  }

  #legend(): TemplateResult {
    const { owners } = this.words.bits;
    const item = (text: string, ...grounds: string[]) => html`<li><svg class="swatch" viewBox="0 0 14 14" aria-hidden="true">
      ${grounds.map((ground, at) => svg`<rect class="ground ${ground}" x=${at * 7} width="14" height="14"></rect>`)}</svg>${text}</li>`;
    return html`${HATCHES}<ul class="legend">${item(owners.side, 'side')} ${item(owners.king, 'king')} ${item(owners.square, 'square-a', 'square-b')}
      ${item(owners.hand, 'hand-a', 'hand-b')} ${item(owners.box, 'box')} ${item(owners.payload, 'payload')} ${item(owners.padding, 'padding')}</ul>`;
  }

  #changed(word: Word): Set<number> {
    const draft = this.#drafts.get(word.format);
    return draft ? changedBits(word.hex, draft.hex) : changedBits(this.#before.get(word.format) ?? null, word.hex);
  }

  #word(fresh: Word): TemplateResult {
    const { words } = this;
    const draft = this.#drafts.get(fresh.format);
    const word = draft?.decoded.word ?? fresh;
    const hex = draft?.hex ?? word.hex;
    const fault = draft?.decoded.error ?? (draft ? null : word.error);
    const pointed = this.#pointed?.format === word.format ? this.#pointed.bit : null;
    return html`<section class="word" aria-label=${word.format}>
      <h3>${words.bits.formatName(word.format)} <small>${words.bits.size(word.format === 'r238' ? 238 : word.format === 'c250' ? 250 : 256)}</small></h3>
      ${hex === null ? html`<p class="hint">${fault ? words.sentenceOf(fault) : nothing}</p>` : html`
        <komabako-bit-grid .bytes=${bytesOf(hex)} .owners=${word.owners} .lit=${bitsOf(word, this.#subject)}
          .changed=${this.#changed(fresh)} .wrong=${draft?.decoded.error?.bit ?? null} .narrow=${!this.#isWide} .labelOf=${this.words.bits.short} .label=${words.bits.gridName(word.format)}
          .describe=${(bit: number) => this.#describe(word, hex, bit)} @bit-point=${(event: CustomEvent<number | null>) => this.#point(word, event.detail)}
          @bit-press=${(event: CustomEvent<number>) => this.#press(word, hex, event.detail)}></komabako-bit-grid>
        <p class="bit-text">${pointed === null ? html`&nbsp;` : this.#describe(word, hex, pointed)}</p>
        ${this.#editing ? html`<label class="field hex">${words.bits.hex}
          <input type="text" class="mono" spellcheck="false" .value=${hex} @change=${this.entered(({ value }) => this.#decode(word.format, value.replace(/\s+/g, '').toLowerCase()))}></label>` : nothing}
        ${this.fault(fault)}
        ${this.#details(word, bytesOf(hex))}
        <komabako-decoders .session=${this.session} .format=${word.format} .hex=${hex}></komabako-decoders>`}
    </section>`;
  }

  #details(word: Word, bytes: Uint8Array): TemplateResult {
    const rows = word.symbols.length ? word.symbols : word.fields;
    const texts = this.words.bits;
    const isListed = this.#listed.has(word.format);
    return html`<details @toggle=${(event: Event) => this.#list(word.format, (event.target as HTMLDetailsElement).open)}><summary>${texts.fields(rows.length)}</summary>
      ${isListed ? this.#rows(word, rows, bytes) : nothing}</details>`;
  }

  #list(format: WordFormat, isOpen: boolean): void {
    if (isOpen) this.#listed.add(format);
    else this.#listed.delete(format);
    this.requestUpdate();
  }

  #rows(word: Word, rows: readonly Field[], bytes: Uint8Array): TemplateResult {
    const texts = this.words.bits;
    return html`${word.rank ? html`<p>${texts.rank(word.rank.class, word.rank.number)}</p>` : nothing}
      <div class="scroll"><table class="list fields"><thead><tr><th scope="col">${texts.bitsColumn}</th><th scope="col">${texts.fieldColumn}</th><th scope="col">${texts.codeColumn}</th><th scope="col">${texts.meaningColumn}</th></tr></thead>
        <tbody>${rows.map((row) => html`<tr><td class="number">${row.len > 1 ? `${row.offset}–${row.offset + row.len - 1}` : row.offset}</td>
          <td>${row.field}</td><td class="mono">${codeOf(bytes, row)}</td><td>${'owner' in row ? this.#ownerText(row.owner as Owner) : row.meaning}</td></tr>`)}</tbody></table></div>`;
  }

  /** Describes a bit: `bit 17 = 1: 7g, code 01, silver`. */
  #describe(word: Word, hex: string, bit: number): string {
    const bytes = bytesOf(hex);
    const run = runAt(word.owners, bit);
    const codes = word.symbols.length ? word.symbols : word.fields;
    const code = codes.find((field) => bit >= field.offset && bit < field.offset + field.len);
    const digits = code && codeOf(bytes, code);
    const parts = [run && this.#ownerText(run.owner), digits, code?.meaning].filter(Boolean);
    return `${this.words.bits.bit(bit, bitAt(bytes, bit))} ${parts.join(' · ')}`;
  }

  #ownerText(owner: Owner): string {
    const { words } = this;
    const texts = words.bits.owners;
    switch (owner.of) {
      case 'square': {
        const square = parseSquare(owner.square);
        return square === null ? owner.square : words.squareName(fileOf(square), rankOf(square), this.session.position.board[square] ?? null);
      }
      case 'king':
        return texts.kingOf(owner.color);
      case 'pair':
        return texts.pairOf(owner.kind);
      case 'hand':
        return `${words.handName(owner.color)} ${words.pieceKind(owner.kind)}`;
      case 'box':
        return `${words.box} ${words.pieceKind(owner.kind)}`;
      default:
        return texts[owner.of];
    }
  }

  #point(word: Word, bit: number | null): void {
    this.#pointed = bit === null ? null : { format: word.format, bit };
    const run = bit === null ? null : runAt(word.owners, bit);
    const places = run ? placesOf(word, run.owner) : [];
    // Other formats highlight the same subject, so that their encodings can be compared.
    this.#side = run?.owner.of === 'side';
    this.session.show({ places });
    this.session.hover(places[0] ?? null);
  }

  #press(word: Word, hex: string, bit: number): void {
    if (this.#editing) {
      this.#decode(word.format, toggled(hex, bit));
      return;
    }
    const run = runAt(word.owners, bit);
    const place = run ? placesOf(word, run.owner)[0] : undefined;
    if (place) this.session.pin(place);
  }

  #decode(format: WordFormat, hex: string): void {
    const { session } = this;
    const answer = session.module?.call('decode', { format, hex, lenient: this.#lenient });
    if (!answer) return;
    if (answer.error) {
      session.say(this.words.sentenceOf(answer.error));
      return;
    }
    const decoded = answer.ok!;
    const setup = decoded.sfen === null ? null : parseSfen(decoded.sfen);
    if (decoded.word.payload !== null) this.#payload = decoded.word.payload;
    if (setup) {
      const sfen = session.sfen;
      this.#drafts.delete(format);
      session.edit(withPly(setup, session.position.ply));
      // The payload, and bits that lenient readers ignore, change the word but not the position.
      if (session.sfen === sfen) this.#read();
    } else this.#drafts.set(format, { hex, decoded });
    this.requestUpdate();
  }
}

/** The bits of a field or code in order; empty for a field that is too long to read as bits. */
function codeOf(bytes: Uint8Array, { offset, len }: Field): string {
  return len > LONGEST_CODE ? '' : Array.from({ length: len }, (_, at) => (bitAt(bytes, offset + at) ? '1' : '0')).join('');
}

customElements.define('komabako-bits-tab', BitsTab);
