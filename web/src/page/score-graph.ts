import { type TemplateResult, html, svg } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { type Game, type Path, type Score, lineThrough, nodesAlong } from '../model/game.js';
import { SessionElement } from './element.js';

const WIDTH = 520;
const HEIGHT = 90;
/** Larger scores, and mates, are drawn at the edge. */
const LARGEST = 2000;

/** The scores of a record, from Black's view: along the shown line or, if it has none, along the main line. A press goes to
 * the move there. */
export class ScoreGraph extends SessionElement {
  #line: Path = [];

  protected override render(): TemplateResult {
    const { session, words } = this;
    const { game } = session;
    const shown = lineThrough(game);
    const curve = guard([game.children, shown.join()], () => {
      this.#line = scored(game, shown).length > 1 ? shown : lineThrough(game, []);
      const points = scored(game, this.#line);
      this.hidden = points.length < 2;
      return svg`<path class="fit" d="M${points.map(({ ply, score }) => `${this.#x(ply)} ${heightOf(score)}`).join('L') || '0 0'}"></path>`;
    });
    return html`<svg class="chart scores" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${words.scoreName} @pointerdown=${this.#onPress} @pointermove=${this.#onPress}>
      <rect width=${WIDTH} height=${HEIGHT} fill="transparent"></rect>
      <path class="half" d="M0 ${HEIGHT / 2}H${WIDTH}"></path>${curve}<path class="here"></path></svg>`;
  }

  /** Moves the mark to the current move or, in a variation beside the line, to the move before it. */
  protected override updated(): void {
    const { path } = this.session.game;
    const beside = path.findIndex((index, ply) => index !== this.#line[ply]);
    this.querySelector('.here')!.setAttribute('d', `M${this.#x(beside < 0 ? path.length : beside)} 0V${HEIGHT}`);
  }

  #x(ply: number): number {
    return Math.round((ply * WIDTH) / Math.max(1, this.#line.length));
  }

  #onPress(event: PointerEvent): void {
    if (!(event.buttons & 1)) return;
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const ply = Math.max(0, Math.round(((event.clientX - left) / width) * this.#line.length));
    const path = this.#line.slice(0, ply);
    if (path.join() !== this.session.game.path.join()) this.session.go(path);
  }
}

/** The scores along a line, with their numbers of moves. */
function scored(game: Game, line: Path): { readonly ply: number; readonly score: Score }[] {
  return nodesAlong(game, line).flatMap(({ score }, index) => (score ? [{ ply: index + 1, score }] : []));
}

function heightOf(score: Score): number {
  const number = 'number' in score ? score.number : score.winner === 'black' ? LARGEST : -LARGEST;
  return Math.round((HEIGHT / 2) * (1 - (0.94 * Math.max(-LARGEST, Math.min(LARGEST, number))) / LARGEST));
}

customElements.define('komabako-score-graph', ScoreGraph);
