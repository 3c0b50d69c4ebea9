import { type TemplateResult, html, nothing } from 'lit';
import type { CheckedCertificate, Detected, FileFormat, FileRecord, Finding, JobRequest, Module } from '../module.js';
import { Unpacked, compressionOf, plainName } from '../model/compression.js';
import { signed, western } from '../model/notation.js';
import { grouped } from '../model/number.js';
import { parseSfen } from '../model/sfen.js';
import { TaskFailed } from '../work/client.js';
import { ARCHIVE, DAMAGED } from '../work/failures.js';
import type { JobReport, JobResult } from '../work/protocol.js';
import { Task } from '../work/task.js';
import { drawStats } from './charts.js';
import { download } from './download.js';
import { SessionElement } from './element.js';

const HEAD = 256 << 10;
const FINDINGS = 100;
/** The maximum number of records read at once on the way to a later one. */
const STRIDE = 4096;
/** A longer line or game is not shown. */
const LARGEST_RECORD = 64 << 20;
/** The first bytes of a certificate of a mate. */
const CERTIFICATE = 'KMTC';
/** The bytes of certificates that are read: those of Microcosmos take 0.3 MB. */
const CERTIFICATES = 32 << 20;

/** An opened file: only its head and the shown record are read. */
interface Opened {
  readonly file: File;
  /** The content of a compressed file. */
  readonly unpacked: Unpacked | null;
  readonly detected: Detected;
  readonly format: FileFormat;
  /** The byte at which records start: after the header line of a table. */
  readonly start: number;
  /** The places that were found in files whose records differ in size, the last one last. */
  readonly places: Place[];
}
/** Where a record starts, or a game: the number of the record, its offset, and the number of the game. */
interface Place {
  readonly index: number;
  readonly offset: number;
  readonly game: number;
}
type Content = Opened | { readonly certificates: readonly CheckedCertificate[] };

interface Wanted {
  readonly opened: Opened;
  readonly index: number;
}
interface Shown {
  readonly index: number;
  readonly record: FileRecord;
}

/** Files of training records: any record of a file of any size, statistics, faults, samples. */
export class FilesTab extends SessionElement {
  readonly #opening = new Task<File, never, Content>(() => this.requestUpdate());
  /** The way to a record, with the bytes decompressed so far. */
  readonly #reading = new Task<Wanted, number, Shown | null>(() => this.requestUpdate());
  readonly #job = new Task<Opened, JobReport, JobResult>(() => this.requestUpdate());
  #shown: Shown | null = null;
  #sampleSize = 1000;
  #seed = '1';
  #file: File | null = null;

  protected override sessionChanged(): void {
    const { file } = this.session;
    if (file && file !== this.#file) {
      this.#file = file;
      void this.#open(file);
    }
  }

  protected override render(): TemplateResult {
    const { files } = this.words;
    const { lostFile } = this.session;
    const content = this.#file && this.#opening.resultOf(this.#file);
    return html`<p class="hint">${files.hint}</p>
      <div class="row"><label class="button main"><input type="file" class="hidden" @change=${this.#onChoose}>${files.choose}</label></div>
      ${lostFile !== null && !this.#file ? html`<p class="fault" role="status">${files.lost(lostFile)}</p>` : nothing}
      ${this.fault(this.#file && this.#opening.faultOf(this.#file))}
      ${!content ? nothing : 'certificates' in content ? this.#checked(content.certificates)
      : html`${this.#about(content)} ${this.#browser(content)} ${this.#jobs(content)}`}`;
  }

  #checked(certificates: readonly CheckedCertificate[]): TemplateResult {
    const { files } = this.words;
    const one = ({ claim, sfen, nodes, error }: CheckedCertificate) => error
      ? html`<li class="fault">${files.notShown(this.words.sentenceOf(error))}</li>`
      : html`<li>${files.shown(this.words.sentenceOf({ sentence: claim! }), nodes!)} <button class="quiet link mono" @click=${() => this.#showPosition(sfen)}>${sfen}</button></li>`;
    return html`<section aria-label=${files.certificates}><h2>${files.certificates}</h2><ol>${certificates.map(one)}</ol></section>`;
  }

  #showPosition(sfen: string | null): void {
    const setup = sfen === null ? null : parseSfen(sfen);
    if (setup) this.session.browse(setup);
  }

  #about(opened: Opened): TemplateResult {
    const { files } = this.words;
    const count = this.#count(opened);
    return html`<section><h2 class="clip">${opened.file.name}</h2>
      <p><b>${opened.detected.format}</b> · ${files.bytes(opened.file.size)}${count === null ? nothing : html` · ${files.recordCount(count)}`}</p>
      ${opened.unpacked?.compression === 'zstd' ? html`<p class="hint">${files.unchecked}</p>` : nothing}
      ${this.#warning(opened)}
      <details><summary>${files.why}</summary><ul>${opened.detected.why.map((reason) => html`<li>${this.words.sentenceOf(reason)}</li>`)}</ul></details></section>`;
  }

  /** A file that was cut short. */
  #warning(opened: Opened): TemplateResult | typeof nothing {
    const { files } = this.words;
    const size = this.#size(opened);
    if (opened.unpacked?.isDamaged) return html`<p class="fault" role="status">${files.damaged(grouped(size ?? 0))}</p>`;
    const { recordSize } = opened.format;
    const over = recordSize === null || size === null ? 0 : (size - opened.start) % recordSize;
    return over > 0 ? html`<p class="fault" role="status">${files.cutShort(over, recordSize!)}</p>` : nothing;
  }

  /** The size of the content; null while it is unknown. */
  #size(opened: Opened): number | null {
    return opened.unpacked ? opened.unpacked.size : opened.file.size;
  }

  #count(opened: Opened): number | null {
    const { recordSize } = opened.format;
    const size = this.#size(opened);
    return recordSize === null || size === null ? null : Math.floor((size - opened.start) / recordSize);
  }

  #browser(opened: Opened): TemplateResult {
    const { files } = this.words;
    const count = this.#count(opened);
    const { index } = this.#shown ?? { index: 0 };
    return html`<section aria-label=${files.record}>
      <div class="row">
        <button class="icon" aria-label=${files.previousRecord} ?disabled=${index === 0} @click=${() => void this.#show(opened, index - 1)}>‹</button>
        <label class="field">${files.record} <input type="number" min="1" max=${count ?? ''} .value=${String(index + 1)} @change=${this.#onNumber(opened)}></label>
        <button class="icon" aria-label=${files.nextRecord} ?disabled=${count !== null && index + 1 >= count} @click=${() => void this.#show(opened, index + 1)}>›</button>
        ${this.#reading.isRunning && opened.unpacked ? this.#way(opened) : nothing}
      </div>
      ${count !== null && count > 1 ? html`<input type="range" class="wide" aria-label=${files.record} min="1" max=${count} .value=${String(index + 1)} @input=${this.#onNumber(opened)}>` : nothing}
      ${this.fault(this.#wanted && this.#reading.faultOf(this.#wanted))} ${this.#shown ? this.#fields(this.#shown.record) : nothing}</section>`;
  }

  /** The progress on the way to a record of a compressed file. */
  #way(opened: Opened): TemplateResult {
    const bytes = this.#wanted && this.#wanted.opened === opened ? this.#reading.reportOf(this.#wanted) : null;
    return html`<span role="status" aria-live="off" class="number">${this.words.files.unpacking(grouped(bytes ?? 0))}</span>
      <button @click=${() => this.#stopReading()}>${this.words.cancel}</button>`;
  }

  #fields(record: FileRecord): TemplateResult {
    const { files } = this.words;
    const row = (name: string, value: unknown) => (value === null || value === undefined ? nothing : html`<div><dt>${name}</dt><dd class="number">${value}</dd></div>`);
    const move = record.move && ('special' in record.move ? record.move.special : this.session.language === 'ja' ? record.move.japanese : western(this.session.position, record.move.usi));
    return html`<dl class="record">
        ${row(files.offset, grouped(record.offset))} ${row(files.score, record.score === null ? null : signed(record.score))} ${row(files.move, move)} ${row(files.result, record.result && files.resultName(record.result))}
        ${row(files.ply, record.ply)} ${record.game ? row(files.game, `${record.game.number + 1}, ${record.game.move}`) : nothing}
        ${row('SFEN', record.sfen && html`<span class="mono">${record.sfen}</span>`)}
        ${row(files.hex, record.hex && html`<span class="mono">${record.hex}</span>`)}
      </dl>
      ${this.fault(record.error)} ${this.fault(record.moveError)}
      ${record.word ? html`<button class="quiet" @click=${() => this.session.setTab('bits')}>${files.showBits}</button>` : nothing}`;
  }

  #jobs(opened: Opened): TemplateResult {
    const { files } = this.words;
    const start = (job: JobRequest, text: string) => html`<button ?disabled=${this.#job.isRunning} @click=${() => void this.#run(opened, job)}>${text}</button>`;
    const format = opened.detected.format;
    const count = this.#count(opened);
    const result = this.#job.resultOf(opened);
    return html`<section><h3>${files.jobs}</h3>
      <div class="row">${start({ job: 'stats', format }, files.stats)} ${start({ job: 'validate', format, findings: FINDINGS }, files.validate)}
        ${this.#job.isRunning ? html`<button @click=${() => this.#job.cancel()}>${this.words.cancel}</button>` : nothing}</div>
      ${count === null ? nothing : html`<div class="row sample">
        <label class="field">${files.sampleSize} <input type="number" min="1" max=${count} .value=${String(Math.min(this.#sampleSize, count))} @change=${this.entered((box) => {
          this.#sampleSize = Math.min(count, Math.max(1, Math.round(Number(box.value)) || 1));
          box.value = String(this.#sampleSize);
        })}></label>
        <label class="field">${files.seed} <input type="number" min="0" .value=${this.#seed} @change=${this.entered((box) => {
          this.#seed = /^\d+$/.test(box.value) ? box.value : '1';
          box.value = this.#seed;
        })}></label>
        ${start({ job: 'sample', format, records: Math.min(this.#sampleSize, count), count, seed: this.#seed }, files.sample)}</div>`}
      ${this.fault(this.#job.faultOf(opened))}
      ${this.#job.isRunning ? this.#progress(opened) : nothing} ${result ? this.#outcome(opened, result) : nothing}</section>`;
  }

  #progress(opened: Opened): TemplateResult {
    const report = this.#job.reportOf(opened);
    const done = report ? report.bytes / Math.max(1, opened.file.size) : 0;
    return html`<div role="status" aria-live="off"><progress max="1" .value=${opened.unpacked ? 0 : done} aria-label=${this.words.files.jobs}></progress>
      <p class="hint number">${report ? html`${this.words.files.recordCount(report.records)} · ${(report.bytes / Math.max(0.001, report.seconds) / 1e6).toFixed(1)} MB/s` : '…'}</p></div>`;
  }

  #outcome(opened: Opened, result: JobResult): TemplateResult {
    const { files } = this.words;
    const bad = Object.entries(result.bad);
    return html`<div class="verdict" role="status"><p><b>${files.recordCount(result.records)}</b>
        ${bad.length ? html` · ${bad.map(([name, count]) => `${name} ${grouped(count)}`).join(', ')}` : html` · ${files.noBad}`}</p></div>
      ${result.stats ? drawStats(result.stats, this.words) : nothing}
      ${result.findings?.length ? html`<table class="list"><thead><tr><th scope="col">${files.record}</th><th scope="col">${files.finding}</th></tr></thead>
        <tbody>${result.findings.map((finding) => html`<tr><td><button class="quiet link number" @click=${() => void this.#showAt(opened, finding)}>${finding.record + 1}</button></td>
          <td>${this.words.sentenceOf(finding.error)}</td></tr>`)}</tbody></table>` : nothing}`;
  }

  // ------------------------------------------------------------------------------------------------------------ reading

  async #open(file: File): Promise<void> {
    const { module } = this.session;
    if (!module) return;
    this.#shown = null;
    // What still runs belongs to the previous file.
    this.#stopReading();
    this.#job.abandon();
    const content = await this.#opening.run(file, () => ({ result: load(module, file) }));
    if (!content) return;
    if ('certificates' in content) {
      if (!this.session.isFileRestored) this.#showPosition(content.certificates[0]?.sfen ?? null);
      this.session.isFileRestored = false;
    }
    else {
      await this.#show(content, this.session.record);
      if (!this.session.countsAtOnce) return;
      this.session.countsAtOnce = false;
      await this.#run(content, { job: 'stats', format: content.detected.format });
    }
  }

  #wanted: Wanted | null = null;

  #stopReading(): void {
    this.#wanted = null;
    this.#reading.abandon();
  }

  async #show(opened: Opened, index: number): Promise<void> {
    const count = this.#count(opened);
    const wanted = { opened, index: Math.max(0, count ? Math.min(index, count - 1) : index) };
    this.#wanted = wanted;
    const shown = await this.#reading.run(wanted, (report) => ({ result: this.#find(wanted, report) }));
    if (shown) {
      const { session } = this;
      this.#shown = shown;
      session.record = shown.index;
      const setup = shown.record.sfen === null ? null : parseSfen(shown.record.sfen);
      // After a reload the board has its own position.
      if (session.isFileRestored) session.isFileRestored = false;
      else if (setup) session.browse(setup);
      else session.showNone(shown.record.error);
    }
    this.requestUpdate();
  }

  /** Finds a record. Fixed-size records are found by their number; others by reading from the last place before it. A game
   * is read as a whole, with a record for each move. */
  async #find({ opened, index }: Wanted, report: (bytes: number) => void): Promise<Shown | null> {
    const { start, places, unpacked, file, detected, format: { recordSize } } = opened;
    for (let length = recordSize ?? HEAD; ; ) {
      const from = recordSize === null ? places.findLast((place) => place.index <= index)! : { index, offset: start + index * recordSize, game: 0 };
      const { offset } = from;
      const bytes = unpacked ? await unpacked.read(offset, length, report) : new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
      const size = this.#size(opened);
      const last = size !== null && offset + bytes.length >= size;
      const limit = Math.min(index - from.index + 1, STRIDE);
      const answer = this.session.module!.call('records', { format: detected.format, limit, first: offset === 0, last }, bytes);
      if (answer.error) throw new TaskFailed(answer.error);
      const { records, bytes: read } = answer.ok;
      const record = records[index - from.index];
      if (record) {
        const { game } = record;
        return { index, record: { ...record, offset: offset + record.offset, game: game && { ...game, number: from.game + game.number } } };
      }
      const { game } = records.at(-1) ?? {};
      if (records.length > 0) places.push({ index: from.index + records.length, offset: offset + read, game: game ? from.game + game.number + 1 : 0 });
      else if (bytes.length < length || length >= LARGEST_RECORD) return null;
      // A line or a game may be longer than what was read.
      else length *= 4;
    }
  }

  /** Shows the record of a finding. A finding in a game has the offset of the game, whose first record is not known. */
  async #showAt(opened: Opened, { record, offset }: Finding): Promise<void> {
    if (!opened.format.games) opened.places.push({ index: record, offset: opened.start + offset, game: 0 });
    await this.#show(opened, record);
  }

  async #run(opened: Opened, job: JobRequest): Promise<void> {
    const client = this.session.workers?.files;
    if (!client) return;
    const file = opened.unpacked ? opened.file : opened.file.slice(opened.start);
    const compression = opened.unpacked?.compression ?? null;
    const result = await this.#job.run(opened, (report) => client.run('job', { job, file, compression }, report));
    if (result && job.job === 'sample') download(`sample-${plainName(opened.file.name)}`, new Blob([result.raw]));
  }

  #onChoose(event: Event): void {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) void this.session.open(file);
    input.value = '';
  }

  #onNumber(opened: Opened): (event: Event) => void {
    return (event) => {
      const input = event.target as HTMLInputElement;
      const number = Number(input.value);
      const shows = Number.isInteger(number) && number >= 1 ? this.#show(opened, number - 1) : Promise.resolve();
      // The box shows what is shown, whatever was typed.
      void shows.then(() => (input.value = String((this.#shown?.index ?? 0) + 1)));
    };
  }
}

/** Reads the head of a file and detects its format. */
async function load(module: Module, file: File): Promise<Content> {
  const compression = compressionOf(new Uint8Array(await file.slice(0, 4).arrayBuffer()));
  const unpacked = compression && new Unpacked(file, compression);
  const read = async (length: number) => (unpacked ? unpacked.read(0, length) : new Uint8Array(await file.slice(0, length).arrayBuffer()));
  const head = await read(HEAD);
  if (unpacked?.isDamaged && head.length === 0) throw new TaskFailed(DAMAGED);
  const mark = new TextDecoder().decode(head.slice(0, 4));
  // Before these letters is a byte that is no text.
  if (mark.endsWith('KMB')) throw new TaskFailed(ARCHIVE);
  if (mark === CERTIFICATE) {
    return { certificates: module.call('certificates', {}, await read(CERTIFICATES)).ok ?? [] };
  }
  const size = unpacked ? unpacked.size : file.size;
  const answer = module.call('detect', { file: unpacked ? plainName(file.name) : file.name, size }, head);
  if (answer.error) throw new TaskFailed(answer.error);
  const detected = answer.ok!;
  const format = module.call('fileFormats', {}).ok!.find((one) => one.name === detected.format)!;
  const start = format.header && new TextDecoder().decode(head.slice(0, format.header.length)) === format.header ? head.indexOf(10) + 1 : 0;
  return { file, unpacked, detected, format, start, places: [{ index: 0, offset: start, game: 0 }] };
}

customElements.define('komabako-files-tab', FilesTab);
