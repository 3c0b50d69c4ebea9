import { LitElement, type PropertyValues, type TemplateResult, html, nothing, svg } from 'lit';
import { applyMove, parseMove } from '../model/game.js';
import { HAND_KINDS, KINDS, type Color, type Kind, type Piece, colorOf, isHandKind, kindOf, makePiece } from '../model/piece.js';
import { formatSfen, parseSfen, START_SFEN } from '../model/sfen.js';
import {
  type Edit, type Place, type Refusal, type Setup, handCount, inBox, movePiece, pieceAt, promotePiece, putPiece, recolorPiece, turnPiece,
} from '../model/setup.js';
import { fileOf, rankOf } from '../model/square.js';
import { wordsOf, type Language } from '../words/index.js';
import { announcement } from './changes.js';
import type { BoardChange, BoardElement } from './element.js';
import { CELL, type Layout, type Point, corner, layout, nearColor, placeAt } from './geometry.js';
import { commandOf } from './keys.js';
import { center, clipped, drawGrid, samePlace } from './parts.js';
import { FACES, type Faces, OUTLINE, drawKind, drawMarks, drawPiece, marks } from './pieces.js';
import { style } from './style.js';

export type { BoardChange };
export type Mode = BoardElement['mode'];

/** The distance in pixels after which a press becomes a drag. */
const DRAG_START = 4;

interface Press {
  readonly pointer: number;
  readonly start: Point;
  readonly place: Place;
  readonly piece: Piece | null;
  readonly touch: boolean;
  dragging: boolean;
  at: Point;
}

interface Choice {
  readonly usi: string;
  readonly square: number;
  readonly piece: Piece;
  /** Whether a press began while the question was shown: the click of the tap that opened it arrives on an answer, too. */
  isPressed: boolean;
}

/** An editable shogi board with both hands and, in set-up mode, the box.
 *
 * Attributes and properties: `sfen`, `mode` (`play` or `setup`), `lang`, `flipped`, `faces` (`one` or `two` kanji,
 * or `letters`), `coordinates` (`no` hides them), `narrow`; properties only:
 * `legal` (the legal moves in USI; without them nothing can be played), `lastMove`, `checked`, `marks`, `arrow`.
 * Events: `komabako-change`, `komabako-refused` {reason}, `komabako-hover` {place}. */
export class KomabakoBoard extends LitElement implements BoardElement {
  static override styles = style;
  static override properties = {
    sfen: { type: String },
    mode: { type: String, reflect: true },
    lang: { type: String },
    flipped: { type: Boolean, reflect: true },
    faces: { type: String },
    coordinates: { type: String },
    narrow: { type: Boolean, reflect: true },
    names: { attribute: false },
    legal: { attribute: false },
    lastMove: { attribute: false },
    checked: { attribute: false },
    marks: { attribute: false },
    arrow: { attribute: false },
  };

  declare sfen: string;
  declare mode: Mode;
  declare flipped: boolean;
  declare faces: Faces;
  declare coordinates: 'yes' | 'no';
  declare narrow: boolean;
  /** The players' names, if they are known. */
  declare names: Readonly<Partial<Record<Color, string>>>;
  declare legal: readonly string[] | null;
  declare lastMove: string | null;
  /** Squares of kings in check. */
  declare checked: readonly number[];
  /** Places to highlight because another part of the page refers to them. */
  declare marks: readonly Place[];
  declare arrow: string | null;

  #setup: Setup = parseSfen(START_SFEN)!;
  /** The text of `sfen` if it is none. */
  #unread = '';
  #picked: Place | null = null;
  #press: Press | null = null;
  #choice: Choice | null = null;
  #focus = 76;
  /** The place of the focus ring, which is only drawn while keys are used. */
  #ring: Place | null = null;
  #file: number | null = null;
  #announcement = '';
  /** The position whose check was announced. */
  #checkAnnouncedFor = '';
  #layout: Layout = layout({ narrow: false, flipped: false, box: false, names: false, hands: this.#setup.hands });

  constructor() {
    super();
    this.sfen = START_SFEN;
    this.mode = 'play';
    this.flipped = false;
    this.faces = 'one';
    this.coordinates = 'yes';
    this.names = {};
    this.narrow = false;
    this.legal = null;
    this.lastMove = null;
    this.checked = [];
    this.marks = [];
    this.arrow = null;
  }

  get setup(): Setup {
    return this.#setup;
  }

  /** Announces a text to screen readers. */
  announce(text: string): void {
    // The same text again is another one, or it would not be said.
    this.#announcement = text === this.#announcement ? `${text}\u00a0` : text;
    this.requestUpdate();
  }

  /** Moves the keyboard's focus to the grid. */
  focusGrid(): void {
    this.renderRoot.querySelector<SVGElement>('[role=gridcell][tabindex="0"]')?.focus();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('sfen')) {
      // A missing attribute is the start position.
      this.sfen ??= START_SFEN;
      const read = parseSfen(this.sfen);
      this.#unread = read ? '' : this.sfen;
      if (!read) this.#refuse('bad-sfen');
      // Another position than the one that was meant would be worse than none.
      const setup = read ?? parseSfen('9/9/9/9/9/9/9/9/9 b - 1')!;
      if (formatSfen(setup) !== formatSfen(this.#setup)) {
        this.#announcement = announcement(this.#setup, setup, this.mode === 'play' ? this.lastMove : null, this.#words);
        this.#setup = setup;
        this.#choice = null;
        // What is held was of the other position.
        if (this.#press?.dragging || (this.#picked && !this.#mayPick(this.#picked))) this.#picked = null;
        this.#press = null;
      }
    }
    if (changed.has('mode')) {
      this.#picked = null;
      this.#choice = null;
    }
    if (this.sfen !== this.#checkAnnouncedFor) this.#checkAnnouncedFor = '';
    if (changed.has('checked') && this.checked.length && this.mode === 'play' && !this.#checkAnnouncedFor) {
      this.#announcement = [this.#announcement, this.legal?.length === 0 ? this.#words.standing.checkmate : this.#words.check].filter(Boolean).join('. ');
      this.#checkAnnouncedFor = this.sfen;
    }
    const names = this.mode === 'play' && Boolean(this.names.black || this.names.white);
    this.#layout = layout({ narrow: this.narrow, flipped: this.flipped, box: this.mode === 'setup', names, hands: this.#setup.hands });
  }

  protected override updated(changed: PropertyValues<this>): void {
    // The squares have changed their elements: the focus stays on its square.
    if (changed.has('flipped') && this.shadowRoot?.activeElement?.matches('[role=gridcell]')) this.focusGrid();
  }

  get #words() {
    return wordsOf((/^en\b/.test(this.lang) ? 'en' : 'ja') as Language);
  }

  /** The faces; other texts in the attribute are as if it were missing. */
  get #faces(): Faces {
    return FACES.includes(this.faces) ? this.faces : 'one';
  }

  // ---------------------------------------------------------------------------------------------------------- changes

  #refuse(reason: Refusal | 'bad-sfen'): void {
    if (reason !== 'bad-sfen') this.announce(this.#words.refusal[reason]);
    this.dispatchEvent(new CustomEvent('komabako-refused', { detail: { reason }, bubbles: true, composed: true }));
  }

  #emit(setup: Setup, move?: string): void {
    this.#announcement = announcement(this.#setup, setup, move ?? null, this.#words);
    this.#setup = setup;
    this.sfen = formatSfen(setup);
    const detail: BoardChange = { sfen: this.sfen, ply: setup.ply, ...(move ? { move } : {}) };
    this.dispatchEvent(new CustomEvent('komabako-change', { detail, bubbles: true, composed: true }));
  }

  #edit(edit: Edit): void {
    if ('refused' in edit) this.#refuse(edit.refused);
    else this.#emit(edit.setup);
  }

  #mayPick(place: Place): boolean {
    const piece = pieceAt(this.#setup, place);
    if (!piece) return false;
    return this.mode === 'setup' || (colorOf(piece) === this.#setup.side && place.at !== 'box' && this.legal !== null);
  }

  /** The legal moves of the piece at a place, by destination. */
  #movesFrom(place: Place): Map<number, string[]> {
    const targets = new Map<number, string[]>();
    for (const usi of this.legal ?? []) {
      const move = parseMove(usi);
      if (!move) continue;
      const fits =
        place.at === 'board' ? move.from === place.square
        : place.at === 'hand' ? move.dropped === place.kind && place.color === this.#setup.side
        : false;
      if (fits) targets.set(move.to, [...(targets.get(move.to) ?? []), usi]);
    }
    return targets;
  }

  #play(from: Place, to: number): boolean {
    const moves = this.#movesFrom(from).get(to);
    const usi = moves?.[0];
    if (!usi) return false;
    if (moves.length > 1) {
      this.#choice = { usi: usi.replace('+', ''), square: to, piece: pieceAt(this.#setup, from)!, isPressed: false };
      this.#picked = null;
      this.requestUpdate();
      void this.updateComplete.then(() => this.renderRoot.querySelector<SVGElement>('.promote')?.focus());
    } else this.#playMove(usi);
    return true;
  }

  #playMove(usi: string): void {
    const after = applyMove(this.#setup, usi);
    if (!after) return;
    this.#picked = null;
    this.#choice = null;
    this.#emit(after, usi);
  }

  #placePiece(kind: Kind, white: boolean): void {
    const square = this.#focus;
    if (this.mode === 'setup') {
      this.#edit(putPiece(this.#setup, square, makePiece(kind, white ? 'white' : 'black')));
    } else if (!isHandKind(kind) || !this.#play({ at: 'hand', color: this.#setup.side, kind }, square)) this.announce(this.#words.illegal);
  }

  /** Handles a tap, or Enter, on a place: picks up, drops, or shows the next face of a picked piece. */
  #activate(place: Place): void {
    const picked = this.#picked;
    if (this.#choice) {
      this.#choice = null;
    } else if (!picked) {
      if (this.#mayPick(place)) this.#picked = place;
    } else if (samePlace(picked, place)) {
      if (this.mode === 'setup' && place.at === 'board') this.#edit(turnPiece(this.#setup, place.square));
      else this.#picked = null;
    } else if (this.mode === 'setup') {
      this.#picked = null;
      this.#edit(movePiece(this.#setup, picked, place));
    } else if (!(place.at === 'board' && this.#play(picked, place.square))) {
      this.#picked = this.#mayPick(place) ? place : null;
      if (!this.#picked) this.announce(this.#words.illegal);
    }
    this.requestUpdate();
  }

  // ---------------------------------------------------------------------------------------------------------- pointers

  /** A finger drags a piece, and elsewhere scrolls the page. `touch-action` requests the same, but Chromium ignores it on
   * parts of an SVG, scrolls, and cancels the pointer. */
  readonly #onTouchMove = {
    handleEvent: (event: TouchEvent) => {
      if (this.#press?.piece && event.touches.length === 1) event.preventDefault();
    },
    passive: false,
  };

  #point(event: PointerEvent): Point {
    const { left, top, width } = this.renderRoot.querySelector('svg')!.getBoundingClientRect();
    const scale = this.#layout.size.width / width;
    return { x: (event.clientX - left) * scale, y: (event.clientY - top) * scale };
  }

  #onPointerDown(event: PointerEvent): void {
    if (this.#choice) this.#choice.isPressed = true;
    // Two fingers zoom.
    if (!event.isPrimary) this.#onPointerCancel();
    if (!event.isPrimary || event.button !== 0 || this.#choice) return;
    const start = this.#point(event);
    const place = placeAt(this.#layout, start, this.flipped);
    // A finger cannot hover, so the last touched place counts as pointed at.
    if (event.pointerType !== 'mouse') this.#hover(place);
    if (!place) return;
    this.#ring = null;
    const piece = this.#mayPick(place) ? pieceAt(this.#setup, place) : null;
    // Whatever it is over when it is released, the board hears of it.
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.#press = {
      pointer: event.pointerId, place, piece, at: start, dragging: false, touch: event.pointerType !== 'mouse',
      start: { x: event.clientX, y: event.clientY },
    };
  }

  #onPointerMove(event: PointerEvent): void {
    const press = this.#press;
    if (!press || press.pointer !== event.pointerId) {
      if (!press) this.#hover(placeAt(this.#layout, this.#point(event), this.flipped));
      return;
    }
    if (!press.piece) return;
    press.at = this.#point(event);
    const distance = Math.hypot(event.clientX - press.start.x, event.clientY - press.start.y);
    if (distance >= DRAG_START && !press.dragging) {
      press.dragging = true;
      this.#picked = press.place;
    }
    if (press.dragging) this.requestUpdate();
  }

  #onPointerUp(event: PointerEvent): void {
    const press = this.#press;
    if (!press || press.pointer !== event.pointerId) return;
    this.#press = null;
    if (!press.dragging) {
      const released = placeAt(this.#layout, this.#point(event), this.flipped);
      if (!released || !samePlace(released, press.place)) return;
      if (released.at === 'board') this.#focus = released.square;
      this.#activate(released);
      return;
    }
    this.#picked = null;
    const target = placeAt(this.#layout, this.#aim(press), this.flipped);
    this.#dropOn(press.place, target);
    this.requestUpdate();
  }

  /** The drop point. Under a finger the ghost is raised by half a square, and the place that it covers counts. */
  #aim(press: Press): Point {
    return press.touch ? { x: press.at.x, y: press.at.y - CELL.height / 2 } : press.at;
  }

  #dropOn(from: Place, target: Place | null): void {
    if (target && samePlace(from, target)) return;
    if (this.mode === 'play') {
      if (target?.at === 'board') this.#play(from, target.square);
      return;
    }
    if (from.at !== 'box' || target) this.#edit(movePiece(this.#setup, from, target ?? { at: 'box', kind: 'P' }));
  }

  #onPointerCancel(): void {
    this.#press = null;
    this.#picked = null;
    this.requestUpdate();
  }

  #onContextMenu(event: MouseEvent): void {
    if (this.mode !== 'setup') return;
    const place = placeAt(this.#layout, this.#point(event as PointerEvent), this.flipped);
    if (place?.at !== 'board' || !this.#setup.board[place.square]) return;
    event.preventDefault();
    this.#edit(turnPiece(this.#setup, place.square));
  }

  #onPointerLeave(event: PointerEvent): void {
    if (event.pointerType === 'mouse') this.#hover(null);
  }

  #hovered: string | null = null;
  #hover(place: Place | null): void {
    const key = JSON.stringify(place);
    if (key === this.#hovered) return;
    this.#hovered = key;
    this.dispatchEvent(new CustomEvent('komabako-hover', { detail: { place }, bubbles: true, composed: true }));
  }

  // ---------------------------------------------------------------------------------------------------------- keys

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onGrid = (event.target as Element).getAttribute('role') === 'gridcell';
    if (!onGrid) return;
    const command = commandOf({ key: event.key, shift: event.shiftKey }, this.#focus, this.flipped, this.#file);
    this.#file = command?.does === 'file' ? command.file : null;
    if (!command) return;
    event.preventDefault();
    event.stopPropagation();
    const square = this.#focus;
    switch (command.does) {
      case 'focus':
        this.#focusSquare(command.square);
        break;
      case 'pick':
        this.#activate({ at: 'board', square });
        break;
      case 'let-go':
        this.#picked = null;
        this.#choice = null;
        break;
      case 'promote':
        if (this.mode === 'setup') this.#edit(promotePiece(this.#setup, square));
        break;
      case 'turn':
        if (this.mode === 'setup') this.#edit(recolorPiece(this.#setup, square));
        break;
      case 'remove':
        if (this.mode === 'setup') this.#edit(movePiece(this.#setup, { at: 'board', square }, { at: 'box', kind: 'P' }));
        break;
      case 'put':
        this.#placePiece(command.kind, command.white);
        break;
    }
    this.requestUpdate();
  }

  #focusSquare(square: number): void {
    this.#focus = square;
    this.#ring = { at: 'board', square };
    this.requestUpdate();
    void this.updateComplete.then(() => this.focusGrid());
  }

  #onFocus(place: Place, event: FocusEvent): void {
    if (place.at === 'board') this.#focus = place.square;
    this.#ring = (event.target as Element).matches(':focus-visible') ? place : null;
    if (this.#ring) this.#hover(place);
    this.requestUpdate();
  }

  #onBlur(): void {
    this.#ring = null;
    this.requestUpdate();
  }

  /** Handles Enter and space on a button of a hand, the box or the promotion choice. */
  #onButtonKey(event: KeyboardEvent, act: () => void): void {
    if (event.key === 'Escape') {
      this.#picked = null;
      this.#choice = null;
      this.focusGrid();
      this.requestUpdate();
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      act();
    }
  }

  // ---------------------------------------------------------------------------------------------------------- drawing

  protected override render(): TemplateResult {
    const { size } = this.#layout;
    return html`<svg viewBox="0 0 ${size.width} ${size.height}"
        @pointerdown=${this.#onPointerDown} @pointermove=${this.#onPointerMove} @pointerup=${this.#onPointerUp}
        @pointercancel=${this.#onPointerCancel} @touchmove=${this.#onTouchMove} @pointerleave=${this.#onPointerLeave}
        @contextmenu=${this.#onContextMenu} @keydown=${this.#onKey}>
        ${drawGrid(this.#layout.board, this.flipped, this.coordinates === 'no' ? null : this.#words.ranks)} ${this.#drawHand(this.flipped ? 'black' : 'white')} ${this.#drawSquares()}
        ${this.#drawHand(this.flipped ? 'white' : 'black')} ${this.#drawBox()} ${this.#drawTargets()} ${this.#drawArrow()}
        ${this.#drawRing()} ${this.#drawChoice()} ${this.#drawGhost()}
      </svg>
      ${this.#unread ? html`<p role="alert">⚠ SFEN: ${this.#unread}</p>` : nothing}
      <div class="live" aria-live="polite">${this.#announcement}</div>`;
  }

  #drawSquares(): TemplateResult {
    const rows = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((row) => {
      const cells = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((column) => {
        const shown = row * 9 + column;
        return this.#drawSquare(this.flipped ? 80 - shown : shown);
      });
      return svg`<g role="row">${cells}</g>`;
    });
    return svg`<g role="grid" aria-label=${this.#words.boardName} aria-rowcount="9" aria-colcount="9">${rows}</g>`;
  }

  #drawSquare(square: number): TemplateResult {
    const place: Place = { at: 'board', square };
    const piece = this.#setup.board[square] ?? null;
    const { x, y } = corner(this.#layout, square, this.flipped);
    const lifted = this.#press?.dragging && samePlace(this.#press.place, place);
    const holds = this.#mayPick(place) ? 'holds' : '';
    return svg`<g role="gridcell" class=${holds} transform="translate(${x} ${y})" tabindex=${square === this.#focus ? 0 : -1}
      data-square=${square} aria-label=${this.#words.squareName(fileOf(square), rankOf(square), piece)} aria-selected=${this.#isPicked(place)}
      @focus=${(event: FocusEvent) => this.#onFocus(place, event)} @blur=${this.#onBlur}>
      <rect class="cell ${this.#shade(square)}" width=${CELL.width} height=${CELL.height}></rect>
      ${piece ? svg`<g class=${lifted ? 'lifted' : ''} transform="translate(20 22)">${drawPiece(piece, nearColor(this.flipped), this.#faces)}</g>` : nothing}
    </g>`;
  }

  #isPicked(place: Place): boolean {
    return this.#picked !== null && samePlace(this.#picked, place);
  }

  #isMarked(place: Place): boolean {
    return this.marks.some((mark) => samePlace(mark, place));
  }

  #shade(square: number): string {
    const place: Place = { at: 'board', square };
    if (this.#isPicked(place)) return 'picked';
    if (this.#isMarked(place)) return 'mark';
    if (this.checked.includes(square)) return 'check';
    const over = this.#press?.dragging ? placeAt(this.#layout, this.#aim(this.#press), this.flipped) : null;
    if (over && samePlace(over, place)) return 'over';
    const last = this.lastMove && parseMove(this.lastMove);
    return last && (last.to === square || last.from === square) ? 'last' : '';
  }

  #drawHand(color: Color): TemplateResult {
    const area = this.#layout.hands[color];
    const label = this.#layout.labels[color];
    const slots = this.#layout.slots[color];
    const items = HAND_KINDS.flatMap((kind) => {
      const at = slots[kind];
      return at ? [this.#drawStack({ at: 'hand', color, kind }, at, handCount(this.#setup, color, kind), makePiece(kind, color))] : [];
    });
    const name = this.#words.handName(color);
    return svg`<g>
      <rect class="stand" x=${area.x} y=${area.y} width=${area.width} height=${area.height} rx="3"></rect>
      <g class="owner ${color} ${this.#setup.side === color ? 'turn' : ''}" aria-hidden="true" transform="translate(${label.x} ${label.y})">
        ${this.#setup.side === color ? svg`<rect class="turn-ground" x="-20" y="-10.5" width="40" height="21" rx="3"></rect>` : nothing}
        <path d=${OUTLINE} transform="scale(0.42)${nearColor(this.flipped) === color ? '' : ' rotate(180)'}"></path></g>
      ${this.#drawName(color)}
      ${items.length ? svg`<g role="list" aria-label=${name}>${items}</g>` : svg`<g role="img" aria-label=${`${name}: ${this.#words.nothing}`}></g>`}
    </g>`;
  }

  /** Draws a player's name: downwards beside the hand or, on a phone, below the mark. */
  #drawName(color: Color): TemplateResult | typeof nothing {
    const name = this.names[color];
    if (!name || this.mode !== 'play') return nothing;
    const { x, y } = this.#layout.names[color];
    const shown = clipped(name, this.narrow ? 10 : 44);
    return svg`<text class=${this.narrow ? 'name' : 'name upright'} x=${x} y=${y}><title>${name}</title>${shown}</text>`;
  }

  #drawBox(): TemplateResult | typeof nothing {
    const { box, boxSlots, labels } = this.#layout;
    if (!box || !boxSlots) return nothing;
    const items = KINDS.map((kind) => this.#drawStack({ at: 'box', kind }, boxSlots[kind]!, inBox(this.#setup, kind), null));
    return svg`<g>
      <rect class="stand box" x=${box.x} y=${box.y} width=${box.width} height=${box.height} rx="3"></rect>
      <text class="box-name" x=${labels.box.x} y=${labels.box.y} aria-hidden="true">${this.#words.box}</text>
      <g role="list" aria-label=${this.#words.boxName}>${items}</g>
    </g>`;
  }

  /** Draws the pieces of one kind in a hand or the box: one piece and its count. */
  #drawStack(place: Place, at: Point, count: number, piece: Piece | null): TemplateResult {
    const near = nearColor(this.flipped);
    const kind = place.at === 'board' ? 'P' : place.kind;
    const drawn = piece ? drawPiece(piece, near, this.#faces) : drawKind(kind, near, this.#faces);
    const shade = this.#isPicked(place) ? 'picked' : this.#isMarked(place) ? 'mark' : '';
    const act = () => this.#activateStack(place);
    return svg`<g role="listitem"><g role="button" tabindex="0" transform="translate(${at.x} ${at.y})" class=${this.#mayPick(place) ? 'holds' : ''}
      data-stack=${place.at === 'hand' ? `${place.color}-${kind}` : `box-${kind}`} aria-pressed=${this.#isPicked(place)}
      aria-label=${this.#words.stackName(kind, count)} @keydown=${(event: KeyboardEvent) => this.#onButtonKey(event, act)}
      @focus=${(event: FocusEvent) => this.#onFocus(place, event)} @blur=${this.#onBlur}>
      <rect class="cell ${shade}" width=${CELL.width} height=${CELL.height} rx="3"></rect>
      <g class=${count === 0 ? 'absent' : ''} transform="translate(${count > 1 ? 17 : 20} 22)">${drawn}</g>
      ${count > 1 ? svg`<g class="count">${drawMarks(marks(String(count), 15, count > 9 ? 30 : 34, 37))}</g>` : nothing}
    </g></g>`;
  }

  #activateStack(place: Place): void {
    this.#activate(place);
    if (this.#isPicked(place)) this.#focusSquare(this.#focus);
  }

  #drawTargets(): TemplateResult | typeof nothing {
    if (this.mode !== 'play' || !this.#picked) return nothing;
    const dots = [...this.#movesFrom(this.#picked).keys()].map((square) => {
      const { x, y } = corner(this.#layout, square, this.flipped);
      const capture = this.#setup.board[square] !== null;
      return svg`<circle class="target ${capture ? 'capture' : ''}" cx=${x + 20} cy=${y + 22} r=${capture ? 17 : 5}></circle>`;
    });
    return svg`<g aria-hidden="true">${dots}</g>`;
  }

  #drawArrow(): TemplateResult | typeof nothing {
    const move = this.arrow ? parseMove(this.arrow) : null;
    if (!move) return nothing;
    const to = center(corner(this.#layout, move.to, this.flipped));
    const stack = move.dropped && this.#layout.slots[this.#setup.side][move.dropped];
    const from = center(stack ?? corner(this.#layout, move.from ?? move.to, this.flipped));
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    if (length === 0) return nothing;
    const angle = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
    return svg`<g aria-hidden="true" transform="translate(${from.x} ${from.y}) rotate(${angle})">
      <path class="arrow" d="M0 0H${Math.max(0, length - 14)}"></path>
      <path class="head" d="M${length - 18} -9 ${length} 0 ${length - 18} 9Z"></path>
    </g>`;
  }

  /** Draws the focus ring after all squares, because neighbouring squares would cover an outline. */
  #drawRing(): TemplateResult | typeof nothing {
    const ring = this.#ring;
    if (!ring) return nothing;
    const at =
      ring.at === 'board' ? corner(this.#layout, ring.square, this.flipped)
      : ring.at === 'hand' ? this.#layout.slots[ring.color][ring.kind]
      : this.#layout.boxSlots?.[ring.kind];
    if (!at) return nothing;
    return svg`<rect class="ring" x=${at.x + 1} y=${at.y + 1} width=${CELL.width - 2} height=${CELL.height - 2} rx="2"></rect>`;
  }

  #drawChoice(): TemplateResult | typeof nothing {
    const choice = this.#choice;
    if (!choice) return nothing;
    const { board } = this.#layout;
    const { x, y } = corner(this.#layout, choice.square, this.flipped);
    const left = Math.min(Math.max(x - 24, board.x), board.x + board.width - 88);
    const top = Math.min(Math.max(y, board.y), board.y + board.height - 52);
    // A click of a screen reader has no press, and no count of clicks.
    const onClick = (act: () => void) => (event: MouseEvent) => {
      if (choice.isPressed || event.detail === 0) act();
    };
    const option = (promotes: boolean, at: number) => {
      const piece = makePiece(kindOf(choice.piece), colorOf(choice.piece), promotes);
      const act = () => {
        this.#playMove(choice.usi + (promotes ? '+' : ''));
        void this.updateComplete.then(() => this.focusGrid());
      };
      return svg`<g role="button" tabindex="0" class=${promotes ? 'promote' : 'stay'} transform="translate(${at} 0)"
        aria-label=${promotes ? this.#words.promote : this.#words.stay} @click=${onClick(act)} @keydown=${(event: KeyboardEvent) => this.#onChoiceKey(event, act)}>
        <rect class="choice" width="44" height="52" rx="4"></rect>
        <g transform="translate(22 26) scale(1.08)">${drawPiece(piece, nearColor(this.flipped), this.#faces)}</g>
      </g>`;
    };
    return svg`<rect class="veil" x=${board.x} y=${board.y} width=${board.width} height=${board.height} @click=${onClick(() => this.#closeChoice())}></rect>
      <g role="group" aria-label=${this.#words.promoteQuestion} transform="translate(${left} ${top})">${option(true, 0)}${option(false, 44)}</g>`;
  }

  #onChoiceKey(event: KeyboardEvent, act: () => void): void {
    if (event.key.startsWith('Arrow')) {
      event.preventDefault();
      const now = this.renderRoot.querySelector<SVGElement>('.promote:focus') ? '.stay' : '.promote';
      this.renderRoot.querySelector<SVGElement>(now)?.focus();
    } else this.#onButtonKey(event, act);
  }

  #closeChoice(): void {
    this.#choice = null;
    this.requestUpdate();
  }

  #drawGhost(): TemplateResult | typeof nothing {
    const press = this.#press;
    if (!press?.dragging || !press.piece) return nothing;
    const { x, y } = this.#aim(press);
    return svg`<g class="ghost" aria-hidden="true" transform="translate(${x} ${y}) scale(1.15)">${drawPiece(press.piece, nearColor(this.flipped), this.#faces)}</g>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'komabako-board': KomabakoBoard;
  }
}
customElements.define('komabako-board', KomabakoBoard);
