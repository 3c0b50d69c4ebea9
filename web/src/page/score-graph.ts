import { type TemplateResult, html, svg } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { lineThrough, nodesAlong, type Score } from '../model/game.js';
import { SessionElement } from './element.js';

const WIDTH = 520;
const HEIGHT = 90;
/** Larger scores, and mates, are drawn at the edge. */
const LARGEST = 2000;

/** The scores of a record along the shown line, from Black's view. A press goes to the move there. */
export class ScoreGraph extends SessionElement {
  protected override render(): TemplateResult {
    const { session, words } = this;
    const { game } = session;
    const line = lineThrough(game);
    const x = (ply: number) => Math.round((ply * WIDTH) / Math.max(1, line.length));
    const curve = guard([game.children, line.join()], () => {
      const points = nodesAlong(game, line).flatMap(({ score }, index) => (score ? [`${x(index + 1)} ${heightOf(score)}`] : []));
      this.hidden = points.length < 2;
      return svg`<path class="fit" d="M${points.join('L') || '0 0'}"></path>`;
    });
    return html`<svg class="chart scores" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${words.scoreName} @pointerdown=${this.#onPress} @pointermove=${this.#onPress}>
      <rect width=${WIDTH} height=${HEIGHT} fill="transparent"></rect>
      <path class="half" d="M0 ${HEIGHT / 2}H${WIDTH}"></path>${curve}<path class="here" d="M${x(game.path.length)} 0V${HEIGHT}"></path></svg>`;
  }

  #onPress(event: PointerEvent): void {
    if (!(event.buttons & 1)) return;
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    const line = lineThrough(this.session.game);
    const ply = Math.round(((event.clientX - left) / width) * line.length);
    if (ply !== this.session.game.path.length) this.session.go(line.slice(0, Math.max(0, ply)));
  }
}

function heightOf(score: Score): number {
  const number = 'number' in score ? score.number : score.winner === 'black' ? LARGEST : -LARGEST;
  return Math.round((HEIGHT / 2) * (1 - (0.94 * Math.max(-LARGEST, Math.min(LARGEST, number))) / LARGEST));
}

customElements.define('komabako-score-graph', ScoreGraph);
