import { type TemplateResult, html } from 'lit';
import { goToPly, newGame, playMoves } from '../model/game.js';
import { western } from '../model/notation.js';
import { parseSfen } from '../model/sfen.js';
import type { CheckFinding, CheckReport } from '../module.js';
import type { Solved } from '../work/protocol.js';
import { Task } from '../work/task.js';
import { SessionElement } from './element.js';

/** The nodes of one question and of all of them: seconds on a phone. */
const LIMITS = { nodes: 300_000, report_nodes: 3_000_000 };

/** The check of a solved problem: whether it is sound, and each finding as a line to play. */
export class ProblemCheck extends SessionElement {
  static override properties = { ...SessionElement.properties, solved: { attribute: false } };
  declare solved: Solved;
  readonly #check = new Task<Solved, never, CheckReport>(() => this.requestUpdate());

  protected override render(): TemplateResult {
    const check = this.words.solve.soundness;
    const report = this.#check.resultOf(this.solved);
    if (this.#check.isRunning) {
      return html`<p class="progress" role="status">${check.running} <button @click=${() => this.#check.cancel()}>${this.words.cancel}</button></p>`;
    }
    return html`${report ? this.#report(report) : html`<button @click=${this.#start}>${check.start}</button>`}
      ${this.fault(this.#check.faultOf(this.solved))}`;
  }

  #report({ soundness, findings, line }: CheckReport): TemplateResult {
    const check = this.words.solve.soundness;
    return html`<section aria-label=${check.start} role="status"><h3>${check.verdicts[soundness]}</h3>
      <ul class="findings">${findings.map((finding) => html`<li class=${finding.isDefect ? 'defect' : ''}>
        <button class="quiet link" @click=${() => this.#show(line.map(({ usi }) => usi), finding)}>${this.#text(line.map(({ usi }) => usi), finding)}</button></li>`)}</ul></section>`;
  }

  #text(line: readonly string[], { kind, ply, length, line: [first] }: CheckFinding): string {
    const check = this.words.solve.soundness;
    const move = first && (this.session.language === 'ja' ? first.japanese : this.#western(line.slice(0, ply - 1), first.usi));
    return check.finding(ply, move ?? null, check.kinds[kind], length);
  }

  #western(before: readonly string[], usi: string): string {
    const played = this.session.module?.call('play', { sfen: this.solved.started.sfen, moves: [...before] }).ok;
    return played ? western(parseSfen(played.sfen)!, usi) : usi;
  }

  /** Shows a finding as a variation of the main line, at its first move. */
  #show(line: readonly string[], finding: CheckFinding): void {
    const main = playMoves(newGame(parseSfen(this.solved.started.sfen)!), line.map((usi) => ({ usi })));
    const game = playMoves(goToPly(main, finding.ply - 1), finding.line);
    this.session.openGame({ ...game, path: game.path.slice(0, finding.line.length > 0 ? finding.ply : finding.ply - 1) });
  }

  #start(): void {
    const client = this.session.workers?.solver;
    if (client) void this.#check.run(this.solved, () => client.run('check', LIMITS));
  }
}

customElements.define('komabako-problem-check', ProblemCheck);
