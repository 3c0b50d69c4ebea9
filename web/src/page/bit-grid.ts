import { LitElement, type TemplateResult, html, nothing, svg } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { OwnedBits } from '../module.js';
import { bitAt } from '../model/bits.js';

/** The size of a bit, in units of the drawing: the label of its field above, 0 or 1 below. */
const BIT = { width: 14, height: 19 } as const;
/** The margins with the offsets of the rows, and with the hex digits of a byte. */
const OFFSETS = 22;
const HEX = 19;

/** The meaning of a bit's background; neighbouring squares alternate, so that the ends of codes are visible. */
type Ground = 'side' | 'king' | 'square-a' | 'square-b' | 'hand-a' | 'hand-b' | 'box' | 'payload' | 'padding' | 'plain';

/** The bits of one word. A grid is a slider over its bits for the keyboard and for screen readers: arrows move the cursor,
 * Enter acts on the bit. All bits of one background are one path, so 1,792 bits need only a few dozen elements. */
export class BitGrid extends LitElement {
  static override properties = {
    bytes: { attribute: false },
    owners: { attribute: false },
    lit: { attribute: false },
    changed: { attribute: false },
    wrong: { attribute: false },
    narrow: { type: Boolean },
    label: { type: String },
    describe: { attribute: false },
    labelOf: { attribute: false },
    cursor: { state: true },
  };
  declare bytes: Uint8Array;
  declare owners: readonly OwnedBits[];
  declare lit: ReadonlySet<number>;
  declare changed: ReadonlySet<number>;
  /** The bit of a refused word's fault. */
  declare wrong: number | null;
  declare narrow: boolean;
  declare label: string;
  declare describe: (bit: number) => string;
  /** A short label of a field. */
  declare labelOf: (run: OwnedBits) => string;
  declare cursor: number;

  constructor() {
    super();
    this.bytes = new Uint8Array();
    this.owners = [];
    this.lit = new Set();
    this.changed = new Set();
    this.wrong = null;
    this.narrow = false;
    this.label = '';
    this.describe = String;
    this.labelOf = () => '';
    this.cursor = 0;
  }

  /** Whether the grid is in the window or near it. Outside, a step does not draw it. */
  #isNear = true;
  readonly #sight = new IntersectionObserver((entries) => {
    this.#isNear = entries.at(-1)!.isIntersecting;
    if (this.#isNear) this.requestUpdate();
  }, { rootMargin: '50%' });
  #drawn: unknown[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sight.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sight.disconnect();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  get #columns(): number {
    return this.narrow ? 16 : 32;
  }

  protected override render(): TemplateResult {
    const columns = this.#columns;
    const count = this.bytes.length * 8;
    const rows = Math.ceil(count / columns);
    const width = OFFSETS + columns * BIT.width + (HEX * columns) / 8 + 4;
    // Pointing at bits changes only the last paths.
    if (this.#isNear || this.#drawn.length === 0) this.#drawn = [this.bytes.join(), this.owners, this.labelOf, columns];
    const still = guard(this.#drawn, () => svg`
      ${this.#grounds().map(([ground, path]) => svg`<path class="ground ${ground}" d=${path}></path>`)}
      <path class="one" d=${this.#path((bit) => bitAt(this.bytes, bit), 1)}></path>
      ${this.#digits()}
      <path class="code" d=${this.#borders()}></path>
      <path class="byte" d=${this.#byteLines(rows)}></path>
      ${Array.from({ length: rows }, (_, row) => this.#row(row))} ${this.owners.map((run) => this.#label(run))}`);
    return html`<svg class="bits" viewBox="0 0 ${width} ${rows * BIT.height + 2}" tabindex="0" role="slider"
      aria-label=${this.label} aria-valuemin="0" aria-valuemax=${count - 1} aria-valuenow=${this.cursor} aria-valuetext=${this.describe(this.cursor)}
      @pointermove=${this.#onMove} @pointerleave=${this.#onLeave} @click=${this.#onClick} @keydown=${this.#onKey}
      @focus=${() => this.#point(this.cursor)} @blur=${() => this.#point(null)}>
      ${still}
      ${this.changed.size ? svg`<path class="changed" d=${this.#path((bit) => this.changed.has(bit), 1.2)}></path>` : nothing}
      ${this.lit.size ? svg`<path class="lit" d=${this.#path((bit) => this.lit.has(bit), 0)}></path>` : nothing}
      ${this.wrong === null ? nothing : svg`<path class="wrong" d=${this.#path((bit) => bit === this.wrong, 0)}></path>`}
      <path class="cursor" d=${this.#path((bit) => bit === this.cursor, 0)}></path>
    </svg>`;
  }

  #corner(bit: number): [number, number] {
    return [OFFSETS + (bit % this.#columns) * BIT.width, Math.floor(bit / this.#columns) * BIT.height + 1];
  }

  /** One path of all bits for which `picked` is true, each shrunk by `inset`. */
  #path(picked: (bit: number) => boolean, inset: number): string {
    let path = '';
    const [width, height] = [BIT.width - 2 * inset, BIT.height - 2 * inset];
    for (let bit = 0; bit < this.bytes.length * 8; bit += 1) {
      if (!picked(bit)) continue;
      const [x, y] = this.#corner(bit);
      path += `M${x + inset} ${y + inset}h${width}v${height}h${-width}z`;
    }
    return path;
  }

  #grounds(): [Ground, string][] {
    const bits = new Map<Ground, Set<number>>();
    let turn = 0;
    for (const run of this.owners) {
      turn += 1;
      const alternate = turn % 2 ? 'a' : 'b';
      const of = run.owner.of;
      const ground: Ground = of === 'square' || of === 'hand' ? `${of}-${alternate}` : of === 'pair' ? 'king' : of;
      const set = bits.get(ground) ?? new Set<number>();
      for (let bit = run.offset; bit < run.offset + run.len; bit += 1) set.add(bit);
      bits.set(ground, set);
    }
    if (this.owners.length === 0) bits.set('plain', new Set(Array.from({ length: this.bytes.length * 8 }, (_, bit) => bit)));
    return [...bits].map(([ground, set]) => [ground, this.#path((bit) => set.has(bit), 0)]);
  }

  /** The lines before the first bit of each code. */
  #borders(): string {
    return this.owners.map((run) => {
      const [x, y] = this.#corner(run.offset);
      return `M${x} ${y}v${BIT.height}`;
    }).join('');
  }

  #byteLines(rows: number): string {
    const width = this.#columns * BIT.width;
    let path = `M${OFFSETS} 1h${width}v${rows * BIT.height}h${-width}z`;
    for (let row = 1; row < rows; row += 1) path += `M${OFFSETS} ${row * BIT.height + 1}h${width}`;
    for (let column = 8; column < this.#columns; column += 8) path += `M${OFFSETS + column * BIT.width} 1v${rows * BIT.height}`;
    return path;
  }

  /** The bits as 0 and 1. They are outlines, because laying out characters takes most of the time of a step. */
  #digits(): TemplateResult {
    let [zeros, ones] = ['', ''];
    for (let bit = 0; bit < this.bytes.length * 8; bit += 1) {
      const [x, y] = this.#corner(bit);
      if (bitAt(this.bytes, bit)) ones += `M${x + 5.2} ${y + 11.4}l2-1.9v6.6`;
      else zeros += `M${x + 7} ${y + 9.7}a2 3.1 0 1 0 .1 0z`;
    }
    return svg`<path class="zero-digit" d=${zeros}></path><path class="one-digit" d=${ones}></path>`;
  }

  /** A row: the number of its first bit, and its bytes in hex. */
  #row(row: number): TemplateResult {
    const columns = this.#columns;
    const bytes = Array.from(this.bytes.slice((row * columns) / 8, ((row + 1) * columns) / 8), (byte) => byte.toString(16).padStart(2, '0'));
    const y = row * BIT.height + 14.5;
    return svg`<text class="margin" x=${OFFSETS - 4} y=${y}>${row * columns}</text>
      <text class="hex-digits" x=${OFFSETS + columns * BIT.width + 5} y=${y}>${bytes.join(' ')}</text>`;
  }

  #label(run: OwnedBits): TemplateResult | typeof nothing {
    const text = this.labelOf(run);
    if (!text) return nothing;
    const [x, y] = this.#corner(run.offset);
    return svg`<text class="label" x=${x + 1.2} y=${y + 6.3}>${text}</text>`;
  }

  #bitUnder(event: MouseEvent): number | null {
    const box = this.querySelector('svg')!.getScreenCTM()!.inverse();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(box);
    const [column, row] = [Math.floor((at.x - OFFSETS) / BIT.width), Math.floor((at.y - 1) / BIT.height)];
    const bit = row * this.#columns + column;
    return column >= 0 && column < this.#columns && row >= 0 && bit < this.bytes.length * 8 ? bit : null;
  }

  #pointed: number | null = null;
  #point(bit: number | null): void {
    if (bit === this.#pointed) return;
    this.#pointed = bit;
    this.dispatchEvent(new CustomEvent('bit-point', { detail: bit }));
  }

  #onMove(event: PointerEvent): void {
    this.#point(this.#bitUnder(event));
  }

  /** A finger leaves right after a tap, so the tapped bit remains pointed at. */
  #onLeave(event: PointerEvent): void {
    if (event.pointerType === 'mouse') this.#point(null);
  }

  #onClick(event: MouseEvent): void {
    const bit = this.#bitUnder(event);
    if (bit === null) return;
    this.cursor = bit;
    this.#point(bit);
    this.dispatchEvent(new CustomEvent('bit-press', { detail: bit }));
  }

  #onKey(event: KeyboardEvent): void {
    const last = this.bytes.length * 8 - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.#columns, ArrowDown: this.#columns, Home: -last, End: last, PageUp: -8, PageDown: 8,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      this.cursor = Math.min(last, Math.max(0, this.cursor + step));
      this.#point(this.cursor);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent('bit-press', { detail: this.cursor }));
    }
  }
}

customElements.define('komabako-bit-grid', BitGrid);
