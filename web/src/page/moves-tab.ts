import { type TemplateResult, html, nothing } from 'lit';
import { western } from '../model/notation.js';
import { grouped } from '../model/number.js';
import type { PerftReport } from '../work/protocol.js';
import { Task } from '../work/task.js';
import { SessionElement } from './element.js';

const MAX_DEPTH = 8;

/** The legal moves in three notations, and perft by depth with the count of each root move. */
export class MovesTab extends SessionElement {
  #depth = 3;
  /** The count of a position. */
  readonly #count = new Task<string, PerftReport, PerftReport>(() => this.requestUpdate());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#count.cancel();
  }

  protected override sessionChanged(): void {
    this.#count.turnTo(this.session.sfen);
  }

  protected override render(): TemplateResult {
    const { session, words } = this;
    const { legal } = session;
    if (!legal) return html`<p class="hint">${session.moduleState === 'ready' ? words.cannotPlay : words.loading}</p>`;
    const report = this.#count.resultOf(session.sfen) ?? this.#count.reportOf(session.sfen);
    const count = (usi: string) => {
      const index = report?.roots.findIndex((root) => root.usi === usi) ?? -1;
      return report && index >= 0 ? report.counts[index] : undefined;
    };
    const counted = (usi: string) => {
      const leaves = count(usi);
      return leaves === undefined ? '…' : grouped(leaves);
    };
    const { over } = legal.standing;
    return html`${this.#perft(report)} ${over ? html`<p>${words.standing[over]}</p>` : nothing}
      <div class="scroll"><table class="list"><caption class="hidden">${words.legalMoves(legal.moves.length)}</caption>
        <thead><tr><th scope="col">${words.legalMoves(legal.moves.length)}</th><th scope="col">USI</th><th scope="col">CSA</th>
          ${report ? html`<th scope="col" class="right">${words.nodes}</th>` : nothing}</tr></thead>
        <tbody>${legal.moves.map((move) => html`<tr @pointerenter=${() => session.show({ arrow: move.usi })} @pointerleave=${() => session.show({})}>
          <td><button class="quiet link" @focus=${() => session.show({ arrow: move.usi })} @blur=${() => session.show({})}
            @click=${() => this.#play(move.usi)}>${session.language === 'ja' ? move.japanese : western(session.position, move.usi)}</button>
            ${move.check ? html`<span class="tag">${words.check}</span>` : nothing}</td>
          <td class="mono">${move.usi}</td><td class="mono">${move.csa}</td>
          ${report ? html`<td class="right number">${counted(move.usi)}</td>` : nothing}</tr>`)}
        </tbody></table></div>`;
  }

  #play(usi: string): void {
    this.session.show({});
    this.session.play(usi);
  }

  #perft(report: PerftReport | null): TemplateResult {
    const { words } = this;
    const rate = report && report.seconds > 0 ? report.nodes / report.seconds / 1e6 : 0;
    return html`<div class="row perft">
        <label class="field">${words.perftDepth}
          <input type="number" min="1" max=${MAX_DEPTH} .value=${String(this.#depth)} @change=${this.#onDepth}></label>
        ${this.#count.isRunning
          ? html`<button @click=${() => this.#count.cancel()}>${words.cancel}</button>`
          : html`<button class="main" @click=${this.#start}>${words.perftStart}</button>`}
        <span role="status" class="number">${report
          ? html`${words.positions(report.nodes)} · ${report.seconds.toFixed(1)} s · ${rate.toFixed(1)} M/s` : nothing}</span>
      </div>
      ${this.fault(this.#count.faultOf(this.session.sfen))}`;
  }

  #onDepth(event: Event): void {
    const input = event.target as HTMLInputElement;
    this.#depth = Math.min(MAX_DEPTH, Math.max(1, Math.round(Number(input.value)) || 1));
    input.value = String(this.#depth);
    this.requestUpdate();
  }

  #start(): void {
    const { files: client } = this.session.workers ?? {};
    const { sfen } = this.session;
    if (client) void this.#count.run(sfen, (report) => client.run('perft', { sfen, depth: this.#depth }, report));
  }
}

customElements.define('komabako-moves-tab', MovesTab);
