import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import type { CheckedCertificate, Detected, FileFormat, FileRecord, Finding, JobRequest, ModuleError } from '../module.js';
import { type Compression, compressionOf, headOf, plainName } from '../model/compression.js';
import { signed, western } from '../model/notation.js';
import { grouped } from '../model/number.js';
import { parseSfen } from '../model/sfen.js';
import { TaskFailed, type Running } from '../work/client.js';
import { DAMAGED } from '../work/failures.js';
import type { JobReport, JobResult } from '../work/protocol.js';
import { drawStats } from './charts.js';
import { download } from './download.js';
import { SessionElement } from './element.js';

const HEAD = 256 << 10;
const FINDINGS = 100;
/** The first bytes of a certificate of a mate. */
const CERTIFICATE = 'KMTC';
/** The bytes of certificates that are read: those of Microcosmos take 0.3 MB. */
const CERTIFICATES = 32 << 20;

/** An opened file: only its head and the shown record are read. */
interface Opened {
  readonly file: File;
  readonly compression: Compression | null;
  readonly detected: Detected;
  readonly format: FileFormat;
  /** The byte at which records start: after the header line of a table. */
  readonly start: number;
}

/** Files of training records: any record of a file of any size, statistics, faults, samples. */
export class FilesTab extends SessionElement {
  #opened: Opened | null = null;
  #certificates: readonly CheckedCertificate[] = [];
  #fault: ModuleError | null = null;
  #index = 0;
  #record: FileRecord | null = null;
  /** The starts of records in files whose records differ in size, as far as they have been read. */
  #offsets: number[] = [0];
  #running: { job: JobRequest['job']; task: Running<'job'> } | null = null;
  #report: JobReport | null = null;
  #result: JobResult | null = null;
  #sampleSize = 1000;
  #seed = '1';
  #openedFile: File | null = null;

  protected override willUpdate(_: PropertyValues): void {
    const { droppedFile } = this.session;
    if (droppedFile && droppedFile !== this.#openedFile) {
      this.#openedFile = droppedFile;
      void this.#open(droppedFile);
    }
  }

  protected override render(): TemplateResult {
    const { files } = this.words;
    return html`<p class="hint">${files.hint}</p>
      <div class="row"><label class="button main"><input type="file" class="hidden" @change=${this.#onChoose}>${files.choose}</label></div>
      ${this.#fault ? html`<p class="fault" role="alert">${this.words.sentenceOf(this.#fault)}</p>` : nothing}
      ${this.#certificates.length ? this.#checked() : nothing}
      ${this.#opened ? html`${this.#about(this.#opened)} ${this.#browser(this.#opened)} ${this.#jobs(this.#opened)}` : nothing}`;
  }

  #checked(): TemplateResult {
    const { files } = this.words;
    const one = ({ claim, sfen, nodes, error }: CheckedCertificate) => error
      ? html`<li class="fault">${files.notShown(this.words.sentenceOf(error))}</li>`
      : html`<li>${files.shown(this.words.sentenceOf({ sentence: claim! }), nodes!)} <button type="button" class="quiet link mono" @click=${() => this.#showPosition(sfen)}>${sfen}</button></li>`;
    return html`<section aria-label=${files.certificates}><h2>${files.certificates}</h2><ol>${this.#certificates.map(one)}</ol></section>`;
  }

  #showPosition(sfen: string | null): void {
    const setup = sfen === null ? null : parseSfen(sfen);
    if (setup) this.session.browse(setup);
  }

  #about(opened: Opened): TemplateResult {
    const { files } = this.words;
    return html`<section><h2 class="clip">${opened.file.name}</h2>
      <p><b>${opened.detected.format}</b> · ${files.bytes(opened.file.size)}${this.#count(opened) === null ? nothing : html` · ${files.recordCount(this.#count(opened)!)}`}</p>
      <details><summary>${files.why}</summary><ul>${opened.detected.why.map((reason) => html`<li>${this.words.sentenceOf(reason)}</li>`)}</ul></details></section>`;
  }

  #count(opened: Opened): number | null {
    const { recordSize } = opened.format;
    return recordSize === null || opened.compression ? null : Math.floor((opened.file.size - opened.start) / recordSize);
  }

  #browser(opened: Opened): TemplateResult {
    const { files } = this.words;
    const count = this.#count(opened);
    const record = this.#record;
    return html`<section aria-label=${files.record}>
      <div class="row">
        <button type="button" class="icon" aria-label=${files.previousRecord} ?disabled=${this.#index === 0} @click=${() => void this.#show(this.#index - 1)}>‹</button>
        <label class="field">${files.record} <input type="number" min="1" max=${count ?? ''} .value=${String(this.#index + 1)} @change=${this.#onNumber}></label>
        <button type="button" class="icon" aria-label=${files.nextRecord} ?disabled=${count !== null && this.#index + 1 >= count} @click=${() => void this.#show(this.#index + 1)}>›</button>
      </div>
      ${count !== null && count > 1 ? html`<input type="range" class="wide" aria-label=${files.record} min="1" max=${count} .value=${String(this.#index + 1)} @input=${this.#onNumber}>` : nothing}
      ${record ? this.#fields(record) : nothing}</section>`;
  }

  #fields(record: FileRecord): TemplateResult {
    const { files } = this.words;
    const row = (name: string, value: unknown) => (value === null || value === undefined ? nothing : html`<div><dt>${name}</dt><dd class="number">${value}</dd></div>`);
    const move = record.move && ('special' in record.move ? record.move.special : this.session.language === 'ja' ? record.move.japanese : western(this.session.position, record.move.usi));
    return html`<dl class="record">
        ${row(files.offset, grouped(record.offset))} ${row(files.score, record.score === null ? null : signed(record.score))} ${row(files.move, move)} ${row(files.result, record.result && files.resultName(record.result))}
        ${row(files.ply, record.ply)} ${record.game ? row(files.game, `${record.game.number}, ${record.game.move}`) : nothing}
        ${row('SFEN', record.sfen && html`<span class="mono">${record.sfen}</span>`)}
        ${row(files.hex, record.hex && html`<span class="mono">${record.hex}</span>`)}
      </dl>
      ${record.error ? html`<p class="fault" role="alert">${this.words.sentenceOf(record.error)}</p>` : nothing}
      ${record.moveError ? html`<p class="fault">${this.words.sentenceOf(record.moveError)}</p>` : nothing}
      ${record.word ? html`<button type="button" class="quiet" @click=${() => this.session.setTab('bits')}>${files.showBits}</button>` : nothing}`;
  }

  #jobs(opened: Opened): TemplateResult | typeof nothing {
    const { files } = this.words;
    if (!this.session.calls.includes('job')) return nothing;
    const start = (job: JobRequest, text: string) => html`<button type="button" ?disabled=${this.#running !== null} @click=${() => void this.#run(opened, job)}>${text}</button>`;
    const format = opened.detected.format;
    const count = this.#count(opened);
    return html`<section><h3>${files.jobs}</h3>
      <div class="row">${start({ job: 'stats', format }, files.stats)} ${start({ job: 'validate', format, findings: FINDINGS }, files.validate)}
        ${this.#running ? html`<button type="button" @click=${() => this.#running?.task.cancel()}>${this.words.cancel}</button>` : nothing}</div>
      ${count === null ? nothing : html`<div class="row sample">
        <label class="field">${files.sampleSize} <input type="number" min="1" max=${count} .value=${String(this.#sampleSize)} @change=${this.#onSampleSize}></label>
        <label class="field">${files.seed} <input type="number" min="0" .value=${this.#seed} @change=${this.#onSeed}></label>
        ${start({ job: 'sample', format, records: Math.min(this.#sampleSize, count), count, seed: this.#seed }, files.sample)}</div>`}
      ${this.#running ? this.#progress(opened) : nothing} ${this.#result ? this.#outcome(opened, this.#result) : nothing}</section>`;
  }

  #progress(opened: Opened): TemplateResult {
    const report = this.#report;
    const done = report ? report.bytes / Math.max(1, opened.file.size) : 0;
    return html`<div role="status" aria-live="off"><progress max="1" .value=${opened.compression ? 0 : done} aria-label=${this.words.files.jobs}></progress>
      <p class="hint number">${report ? html`${this.words.files.recordCount(report.records)} · ${(report.bytes / Math.max(0.001, report.seconds) / 1e6).toFixed(1)} MB/s` : '…'}</p></div>`;
  }

  #outcome(opened: Opened, result: JobResult): TemplateResult {
    const { files } = this.words;
    const bad = Object.entries(result.bad);
    return html`<div class="verdict" role="status"><p><b>${files.recordCount(result.records)}</b>
        ${bad.length ? html` · ${bad.map(([name, count]) => `${name} ${grouped(count)}`).join(', ')}` : html` · ${files.noBad}`}</p></div>
      ${result.stats ? drawStats(result.stats, this.words) : nothing}
      ${result.findings?.length ? html`<table class="list"><thead><tr><th scope="col">${files.record}</th><th scope="col">${files.finding}</th></tr></thead>
        <tbody>${result.findings.map((finding) => html`<tr><td><button type="button" class="quiet link number" @click=${() => void this.#showAt(opened, finding)}>${finding.record + 1}</button></td>
          <td>${this.words.sentenceOf(finding.error)}</td></tr>`)}</tbody></table>` : nothing}`;
  }

  // ------------------------------------------------------------------------------------------------------------ reading

  async #open(file: File): Promise<void> {
    const { module } = this.session;
    if (!module) return;
    this.#opened = null;
    this.#record = null;
    this.#result = null;
    this.#fault = null;
    this.#certificates = [];
    this.#offsets = [0];
    const compression = compressionOf(new Uint8Array(await file.slice(0, 4).arrayBuffer()));
    const head = compression
      ? await headOf(file, compression, HEAD).catch(() => null)
      : new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
    if (!head) {
      this.#fault = DAMAGED;
      this.requestUpdate();
      return;
    }
    if (new TextDecoder().decode(head.slice(0, CERTIFICATE.length)) === CERTIFICATE) {
      const bytes = compression ? await headOf(file, compression, CERTIFICATES) : new Uint8Array(await file.slice(0, CERTIFICATES).arrayBuffer());
      const answer = module.call('certificates', {}, bytes);
      this.#certificates = answer.ok ?? [];
      this.#showPosition(this.#certificates[0]?.sfen ?? null);
      this.requestUpdate();
      return;
    }
    const size = !compression ? file.size : head.length < HEAD ? head.length : null;
    const answer = module.call('detect', { file: compression ? plainName(file.name) : file.name, size }, head);
    if (answer.error) {
      this.#fault = answer.error;
      this.requestUpdate();
      return;
    }
    const detected = answer.ok!;
    const format = module.call('fileFormats', {}).ok?.find((one) => one.name === detected.format);
    if (!format) return;
    const start = format.header && new TextDecoder().decode(head.slice(0, format.header.length)) === format.header ? head.indexOf(10) + 1 : 0;
    this.#opened = { file, compression, detected, format, start };
    this.#offsets = [start];
    await this.#show(0);
  }

  /** Shows a record. Fixed-size records are found by their number; others by reading from the last known start. */
  async #show(index: number): Promise<void> {
    const opened = this.#opened;
    if (!opened || index < 0) return;
    const { recordSize } = opened.format;
    if (recordSize !== null && !opened.compression) {
      const offset = opened.start + index * recordSize;
      await this.#read(opened, index, offset, recordSize, 0);
      return;
    }
    const known = Math.min(index, this.#offsets.length - 1);
    await this.#read(opened, index, this.#offsets[known]!, HEAD, index - known);
  }

  /** Shows the record of a finding. The offset of a finding in a game is the game's offset, and compressed files do not
   * allow jumping to an offset. */
  async #showAt(opened: Opened, { record, offset }: Finding): Promise<void> {
    if (opened.compression || opened.format.games) await this.#show(record);
    else await this.#read(opened, record, opened.start + offset, opened.format.recordSize ?? HEAD, 0);
  }

  async #read(opened: Opened, index: number, offset: number, length: number, skip: number): Promise<void> {
    const bytes = opened.compression
      ? (await headOf(opened.file, opened.compression, HEAD)).slice(offset, offset + length)
      : new Uint8Array(await opened.file.slice(offset, offset + length).arrayBuffer());
    const answer = this.session.module!.call('records', { format: opened.detected.format, limit: skip + 1, first: offset === 0, last: offset + bytes.length >= opened.file.size }, bytes);
    this.#fault = answer.error ?? null;
    const records = answer.ok?.records ?? [];
    const from = index - skip;
    // After a jump the starts of the skipped records are unknown.
    if (from < this.#offsets.length) records.forEach((one, at) => {
      this.#offsets[from + at] = offset + one.offset;
      this.#offsets[from + at + 1] = offset + one.offset + one.len;
    });
    const record = records[skip];
    if (record) {
      this.#index = index;
      this.#record = { ...record, offset: offset + record.offset };
      const setup = record.sfen === null ? null : parseSfen(record.sfen);
      if (setup) this.session.browse(setup);
    }
    this.requestUpdate();
  }

  async #run(opened: Opened, job: JobRequest): Promise<void> {
    const client = this.session.workers?.files;
    if (!client) return;
    this.#result = null;
    this.#report = null;
    this.#fault = null;
    const task = client.run('job', { job, file: opened.compression ? opened.file : opened.file.slice(opened.start), compression: opened.compression }, (report) => {
      this.#report = report;
      this.requestUpdate();
    });
    this.#running = { job: job.job, task };
    this.requestUpdate();
    try {
      this.#result = await task.result;
      if (job.job === 'sample') download(`sample-${opened.file.name}`, new Blob([this.#result.raw]));
    } catch (error) {
      if (!(error instanceof TaskFailed)) throw error;
      if (error.fault.name !== 'CANCELLED') this.#fault = error.fault;
    } finally {
      this.#running = null;
      this.requestUpdate();
    }
  }

  #onChoose(event: Event): void {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) void this.session.open(file);
    input.value = '';
  }

  #onNumber(event: Event): void {
    const number = Number((event.target as HTMLInputElement).value);
    if (Number.isInteger(number)) void this.#show(number - 1);
  }

  #onSampleSize(event: Event): void {
    this.#sampleSize = Math.max(1, Math.round(Number((event.target as HTMLInputElement).value)) || 1);
    this.requestUpdate();
  }

  #onSeed(event: Event): void {
    const { value } = event.target as HTMLInputElement;
    this.#seed = /^\d+$/.test(value) ? value : '1';
    this.requestUpdate();
  }
}

customElements.define('komabako-files-tab', FilesTab);
