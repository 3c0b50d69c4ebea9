import { type TemplateResult, html, nothing } from 'lit';
import type { CheckReport } from '../module.js';
import { type Client, TaskFailed } from '../work/client.js';
import { CANCELLED } from '../work/failures.js';
import type { Solved } from '../work/protocol.js';
import { type Cancellable, Task } from '../work/task.js';
import type { Collection } from './collection.js';
import { download } from './download.js';
import { SessionElement } from './element.js';

const OPTIONS = { goal: 'shortest', hideUseless: true, memory: 64, seconds: 10 } as const;
const CHECK = { nodes: 50_000, report_nodes: 500_000 };
/** The columns of the table, named as those of `komabako solve --check`. */
const HEADER = 'sfen\tverdict\tlength\tleft\tline\tsound\tduals';

/** A problem of a list with its result. */
interface Row {
  readonly sfen: string;
  readonly solved: Solved;
  readonly report: CheckReport | null;
}

/** A list of mate problems: lengths and soundness of all, and a table of them. */
export class ProblemList extends SessionElement {
  static override properties = { ...SessionElement.properties, collection: { attribute: false } };
  declare collection: Collection;
  readonly #task = new Task<Collection, readonly Row[], readonly Row[]>(() => this.requestUpdate());

  #checks = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#task.abandon();
  }

  get #rows(): readonly Row[] {
    return this.#task.resultOf(this.collection) ?? this.#task.reportOf(this.collection) ?? [];
  }

  protected override render(): TemplateResult {
    const { list } = this.words.solve;
    const count = this.collection.items.filter(({ sfen }) => sfen !== null).length;
    const rows = this.#rows;
    return html`<div class="row">
        ${this.#task.isRunning ? html`<span class="number" role="status">${rows.length} / ${count}</span> <button type="button" @click=${() => this.#task.cancel()}>${this.words.cancel}</button>`
        : html`<button type="button" ?disabled=${!this.session.workers} @click=${this.#start}>${list.start}</button>
          <label class="field"><input type="checkbox" .checked=${this.#checks} @change=${this.#onChecks}> ${list.check}</label>`}
        ${rows.length ? html`<button type="button" @click=${this.#save}>${list.save}</button>` : nothing}</div>
      ${rows.length ? html`<ol class="problems">${rows.map((row, index) => html`<li><button type="button" class="quiet link" @click=${() => void this.#open(row)}>
        ${this.#name(row, index)}</button> <span class="hint">${this.#text(row)}</span></li>`)}</ol>` : nothing}`;
  }

  #name({ sfen }: Row, index: number): string {
    const item = this.collection.items.find((one) => one.sfen === sfen);
    return item && item.name !== sfen ? item.name : String(index + 1);
  }

  #text({ solved: { verdict }, report }: Row): string {
    const { solve } = this.words;
    if (verdict.is === 'no-mate') return solve.noMate;
    if (verdict.is === 'unknown') return solve.unknown[verdict.reason];
    return [solve.mate(verdict.length), report && solve.soundness.verdicts[report.soundness]].filter(Boolean).join(' · ');
  }

  async #open({ sfen }: Row): Promise<void> {
    await this.collection.open(this.collection.items.findIndex((item) => item.sfen === sfen));
    this.session.step(-Infinity);
  }

  #start(): void {
    const client = this.session.workers?.solver;
    if (client) void this.#task.run(this.collection, (report) => solveAll(client, this.collection, this.#checks, report));
  }

  #onChecks(event: Event): void {
    this.#checks = (event.target as HTMLInputElement).checked;
  }

  #save(): void {
    const lines = this.#rows.map(({ sfen, solved: { verdict }, report }) => {
      const isMate = verdict.is === 'mate';
      const duals = report?.findings.filter(({ kind }) => kind === 'dual').map(({ ply, line }) => `${ply}:${line[0]?.usi ?? ''}`).join(' ');
      return [sfen, verdict.is, isMate ? `${verdict.exact ? '' : '<='}${verdict.length}` : '-', isMate ? Object.values(verdict.left).reduce((sum, count) => sum + count, 0) : '-',
        isMate ? verdict.line.map(({ usi }) => usi).join(' ') : '-', report?.soundness ?? '-', duals || '-'].join('\t');
    });
    download('problems.tsv', new Blob([`${[HEADER, ...lines].join('\n')}\n`], { type: 'text/tab-separated-values' }));
  }
}

function solveAll(client: Client, collection: Collection, checks: boolean, report: (rows: readonly Row[]) => void): Cancellable<readonly Row[]> {
  let isCancelled = false;
  let cancelOne = () => {};
  const one = async <T>(running: { readonly result: Promise<T>; cancel(): void }): Promise<T> => {
    cancelOne = () => running.cancel();
    const value = await running.result;
    if (isCancelled) throw new TaskFailed(CANCELLED);
    return value;
  };
  const all = async () => {
    const rows: Row[] = [];
    for (const { sfen } of collection.items) {
      if (sfen === null) continue;
      const solved = await one(client.run('solve', { sfen, ...OPTIONS }));
      rows.push({ sfen, solved, report: checks && solved.verdict.is === 'mate' ? await one(client.run('check', CHECK)) : null });
      report([...rows]);
    }
    return rows;
  };
  const cancel = () => {
    isCancelled = true;
    cancelOne();
  };
  return { result: all(), cancel };
}

customElements.define('komabako-problem-list', ProblemList);
