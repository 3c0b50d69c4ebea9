import { type TemplateResult, html, nothing } from 'lit';
import { formatSfen } from '../model/sfen.js';
import type { CheckReport, ModuleError } from '../module.js';
import { type Client, TaskFailed } from '../work/client.js';
import { CANCELLED } from '../work/failures.js';
import type { Solved } from '../work/protocol.js';
import type { Cancellable } from '../work/task.js';
import type { Collection } from './collection.js';
import { download } from './download.js';
import { SessionElement } from './element.js';

const OPTIONS = { goal: 'shortest', hideUseless: true, memory: 64, seconds: 10 } as const;
const CHECK = { nodes: 50_000, report_nodes: 500_000 };
/** The columns of the table, named as those of `komabako solve --check`. */
const HEADER = 'sfen\tverdict\tlength\tleft\tline\tsound\tduals';

/** A problem of a list with its result, or why it cannot be solved. */
export interface Row {
  readonly index: number;
  readonly sfen: string;
  readonly solved: Solved | null;
  readonly fault: ModuleError | null;
  readonly report: CheckReport | null;
}

/** A list of mate problems: lengths and soundness of all, and a table of them. */
export class ProblemList extends SessionElement {
  #checks = false;

  get #collection(): Collection {
    return this.session.collection!;
  }

  get #rows(): readonly Row[] {
    const { solving } = this.#collection;
    return solving.resultOf(null) ?? solving.reportOf(null) ?? [];
  }

  protected override render(): TemplateResult {
    const { list } = this.words.solve;
    const { items, solving } = this.#collection;
    const count = items.filter(({ game }) => game).length;
    const rows = this.#rows;
    return html`<div class="row">
        ${solving.isRunning ? html`<span class="number" role="status">${rows.length} / ${count}</span> <button @click=${() => solving.cancel()}>${this.words.cancel}</button>`
        : html`<button ?disabled=${!this.session.workers} @click=${this.#start}>${list.start}</button>
          <label class="field"><input type="checkbox" .checked=${this.#checks} @change=${this.entered((box) => (this.#checks = box.checked))}> ${list.check}</label>`}
        ${rows.length ? html`<button @click=${this.#save}>${list.save}</button>` : nothing}</div>
      ${rows.length ? html`<ol class="problems">${rows.map((row) => html`<li><button class="quiet link" @click=${() => void this.#open(row)}>
        ${this.#name(row)}</button> <span class="hint">${this.#text(row)}</span></li>`)}</ol>` : nothing}`;
  }

  /** Its name, which for a position says no more than its number. */
  #name({ index }: Row): string {
    const { name, opened } = this.#collection.items[index]!;
    return name && name !== formatSfen(opened!.start) ? name : String(index + 1);
  }

  #text({ solved, fault, report }: Row): string {
    const { solve } = this.words;
    if (!solved) return this.words.sentenceOf(fault!);
    const { verdict } = solved;
    if (verdict.is === 'no-mate') return solve.noMate;
    if (verdict.is === 'unknown') return solve.unknown[verdict.reason];
    return [solve.mate(verdict.length), report && solve.soundness.verdicts[report.soundness]].filter(Boolean).join(' · ');
  }

  async #open({ index }: Row): Promise<void> {
    await this.#collection.open(index);
    this.session.step(-Infinity);
  }

  #start(): void {
    // The other worker holds the search whose tree is shown, or that a reader plays against.
    const client = this.session.workers?.files;
    const collection = this.#collection;
    collection.keep();
    if (client) void collection.solving.run(null, (report) => solveAll(client, collection, this.#checks, report));
  }

  #save(): void {
    const lines = this.#rows.map(({ sfen, solved, fault, report }) => {
      if (!solved) return [sfen, fault!.sentence.en, '-', '-', '-', '-', '-'].join('\t');
      const { verdict } = solved;
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
    for (const [index, { game }] of collection.items.entries()) {
      if (!game) continue;
      const sfen = formatSfen(game.start);
      let solved: Solved | null = null;
      let fault: ModuleError | null = null;
      let found: CheckReport | null = null;
      try {
        solved = await one(client.run('solve', { sfen, ...OPTIONS }));
        if (checks && solved.verdict.is === 'mate') found = await one(client.run('check', CHECK));
      } catch (error) {
        if (isCancelled || !(error instanceof TaskFailed)) throw error;
        fault = error.fault;
      }
      rows.push({ index, sfen, solved, fault, report: found });
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
