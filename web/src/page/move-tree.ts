import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { readPath, writePath } from '../model/address.js';
import { type Ending, type GameNode, type Path, applyMove } from '../model/game.js';
import { clock, moveText } from '../model/notation.js';
import type { Setup } from '../model/setup.js';
import { SessionElement } from './element.js';

/** Variations at a greater depth, and all of a game with more nodes in variations, are folded at first. */
const DEEPEST = 8;
const MOST = 500;

type Parent = { readonly children: readonly GameNode[]; readonly ends: readonly Ending[] };

/** The moves of a game: a row for each move of the main line and, below it, its variations, which can be folded. A place
 * in the tree is named as in an address: `12` is the twelfth move of the main line, `12.1.3` the fourth move of the
 * variation to the thirteenth. The tree is drawn once a record; a step only moves the mark of the current move. */
export class MoveTree extends SessionElement {
  /** The variations that are not as they are at first, by their places up to the number of moves. */
  readonly #turned = new Set<string>();
  #folds = 0;
  #areMany = false;
  #shown: readonly GameNode[] = [];
  #path: Path = [];

  protected override willUpdate(): void {
    const { children, path } = this.session.game;
    if (children !== this.#shown) this.#areMany = isLarge(this.session.game);
    if (path !== this.#path || children !== this.#shown) this.#unfold(path);
    this.#shown = children;
    this.#path = path;
  }

  protected override render(): TemplateResult {
    const { session, words } = this;
    const { game } = session;
    const rows = guard([game.start, game.children, words, this.#folds], () => this.#rows());
    return html`<ol class="moves" aria-label=${words.gameMoves} @click=${this.#onClick}>${rows}</ol>`;
  }

  #rows(): TemplateResult[] {
    const { game } = this.session;
    const rows = [html`<li>${this.#entry(this.words.startPosition, '0', '0')} ${this.#ends(game)}</li>`];
    let before = game.start;
    let parent: Parent = game;
    for (let ply = 1; parent.children.length > 0; ply += 1) {
      const node: GameNode = parent.children[0]!;
      rows.push(html`<li>${this.#entry(moveText(before, node, this.session.language), String(ply), String(before.ply), node)}
        ${this.#variations(parent, `${ply - 1}.`, before, 0)} ${this.#ends(node)}</li>`);
      before = applyMove(before, node.usi) ?? before;
      parent = node;
    }
    return rows;
  }

  #entry(text: string, at: string, number: string, node?: GameNode): TemplateResult {
    return html`<button class="move" data-at=${at}>
      <span class="number">${number}</span> <span class="text">${text}</span>
      ${node?.comments.length ? html`<span class="has-comment" aria-hidden="true">＊</span>` : nothing}
      ${node?.score ? html`<span class="score" title=${this.words.scoreName}>${this.words.scoreText(node.score)}</span>` : nothing}
      ${node && node.time !== null ? html`<span class="time">${clock(node.time)}</span>` : nothing}</button>`;
  }

  #ends({ ends }: Parent): TemplateResult[] {
    return ends.map(({ word }) => html`<span class="end">${this.words.ending(word)}</span>`);
  }

  /** The variations to a parent's first move. */
  #variations({ children }: Parent, prefix: string, before: Setup, depth: number): TemplateResult | typeof nothing {
    if (children.length < 2) return nothing;
    return html`<div class="variations" role="group" aria-label=${this.words.variations}>
      ${children.slice(1).map((node, index) => this.#variation(node, `${prefix}${index + 1}.`, before, depth))}</div>`;
  }

  /** A variation: its moves one after the other, each followed by its own variations. */
  #variation(first: GameNode, prefix: string, start: Setup, depth: number): TemplateResult {
    const isOpen = this.#isOpen(prefix, depth);
    const moves = [this.#inline(first, `${prefix}0`, start)];
    let before = start;
    let node = first;
    for (let count = 1; isOpen && node.children.length > 0; count += 1) {
      before = applyMove(before, node.usi) ?? before;
      const parent = node;
      node = parent.children[0]!;
      moves.push(html`${this.#inline(node, `${prefix}${count}`, before)}${this.#variations(parent, `${prefix}${count - 1}.`, before, depth + 1)}`);
    }
    const { foldName } = this.words;
    const isLong = first.children.length > 0;
    return html`<div class="variation">${isLong
      ? html`<button class="quiet fold" aria-expanded=${isOpen} aria-label=${foldName(moveText(start, first, this.session.language))} data-fold=${prefix}>${isOpen ? '▾' : '▸'}</button>` : nothing}
      ${moves} ${isLong && !isOpen ? '…' : this.#ends(node)}</div>`;
  }

  #inline(node: GameNode, at: string, before: Setup): TemplateResult {
    return html`<button class="quiet" data-at=${at}><span class="number">${before.ply}</span> ${moveText(before, node, this.session.language)}${node.comments.length ? '＊' : nothing}</button>`;
  }

  #isOpen(prefix: string, depth: number): boolean {
    return (depth < DEEPEST && !this.#areMany) !== this.#turned.has(prefix);
  }

  #turn(prefix: string): void {
    if (!this.#turned.delete(prefix)) this.#turned.add(prefix);
    this.#folds += 1;
  }

  /** Unfolds the variations around a place. */
  #unfold(path: Path): void {
    const parts = writePath(path).split('.');
    for (let depth = 0; 2 * depth + 2 < parts.length; depth += 1) {
      const prefix = `${parts.slice(0, 2 * depth + 2).join('.')}.`;
      if (!this.#isOpen(prefix, depth)) this.#turn(prefix);
    }
  }

  #onClick(event: MouseEvent): void {
    const { at, fold } = (event.target as Element).closest<HTMLElement>('[data-at], [data-fold]')?.dataset ?? {};
    if (at !== undefined) this.session.go(readPath(at));
    if (fold === undefined) return;
    this.#turn(fold);
    this.requestUpdate();
  }

  protected override updated(): void {
    const list = this.querySelector<HTMLElement>('.moves')!;
    const wanted = list.querySelector<HTMLElement>(`[data-at="${writePath(this.session.game.path)}"]`);
    const marked = list.querySelector<HTMLElement>('[aria-current=step]');
    if (!wanted || wanted === marked) return;
    marked?.removeAttribute('aria-current');
    wanted.setAttribute('aria-current', 'step');
    // `scrollIntoView` would also scroll the whole page, away from the board.
    const { top, height } = wanted.getBoundingClientRect();
    list.scrollTop += top - list.getBoundingClientRect().top - (list.clientHeight - height) / 2;
  }
}

/** Whether a game has more nodes in variations than are shown at first. */
function isLarge(game: Parent): boolean {
  let count = 0;
  const pending: GameNode[] = [];
  let main: Parent | undefined = game;
  while (main) {
    pending.push(...main.children.slice(1));
    main = main.children[0];
  }
  for (let node = pending.pop(); node && count <= MOST; node = pending.pop()) {
    count += 1;
    pending.push(...node.children);
  }
  return count > MOST;
}

customElements.define('komabako-move-tree', MoveTree);
