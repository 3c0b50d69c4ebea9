import { type TemplateResult, html, nothing } from 'lit';
import { western } from '../model/notation.js';
import { grouped } from '../model/number.js';
import type { ModuleError } from '../module.js';
import { TaskFailed, type Running } from '../work/client.js';
import type { PerftReport } from '../work/protocol.js';
import { SessionElement } from './element.js';

const MAX_DEPTH = 8;

/** The legal moves in three notations, and perft by depth with the count of each root move. */
export class MovesTab extends SessionElement {
  #depth = 3;
  #running: Running<'perft'> | null = null;
  #report: PerftReport | null = null;
  #fault: ModuleError | null = null;
  /** The position of `#report`. */
  #sfen = '';

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#running?.cancel();
  }

  protected override render(): TemplateResult {
    const { session, words } = this;
    const { legal } = session;
    if (!legal) return html`<p class="hint">${session.moduleState === 'ready' ? words.cannotPlay : words.loading}</p>`;
    const report = this.#sfen === session.sfen ? this.#report : null;
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
          <td><button type="button" class="quiet link" @focus=${() => session.show({ arrow: move.usi })} @blur=${() => session.show({})}
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
        ${this.#running
          ? html`<button type="button" @click=${() => this.#running?.cancel()}>${words.cancel}</button>`
          : html`<button type="button" class="main" @click=${this.#start}>${words.perftStart}</button>`}
        <span role="status" class="number">${report
          ? html`<b>${grouped(report.nodes)}</b> ${words.nodes} · ${report.seconds.toFixed(1)} s · ${rate.toFixed(1)} M/s` : nothing}</span>
      </div>
      ${this.#fault && this.#fault.name !== 'CANCELLED' ? html`<p class="fault" role="alert">${words.sentenceOf(this.#fault)}</p>` : nothing}`;
  }

  #onDepth(event: Event): void {
    const depth = Number((event.target as HTMLInputElement).value);
    this.#depth = Math.min(MAX_DEPTH, Math.max(1, Math.round(depth) || 1));
    this.requestUpdate();
  }

  async #start(): Promise<void> {
    const { files: client } = this.session.workers ?? {};
    if (!client) return;
    this.#sfen = this.session.sfen;
    this.#report = null;
    this.#fault = null;
    const running = client.run('perft', { sfen: this.#sfen, depth: this.#depth }, (report) => {
      this.#report = report;
      this.requestUpdate();
    });
    this.#running = running;
    this.requestUpdate();
    try {
      this.#report = await running.result;
    } catch (error) {
      if (!(error instanceof TaskFailed)) throw error;
      this.#fault = error.fault;
    } finally {
      this.#running = null;
      this.requestUpdate();
    }
  }
}

customElements.define('komabako-moves-tab', MovesTab);
