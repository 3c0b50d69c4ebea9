/** The npm package `komabako`: the module of `module.ts`, loaded and called with a line each, in Node and in browsers. */

import {
  type Answer,
  type CallName,
  type ModuleError,
  type Parsed,
  type Request,
  type SolveOutcome,
  type SolveProgress,
  type SolveRequest,
  type WordFormat,
  Module,
} from './module.js';

export * from './module.js';

declare global {
  // Projects for Node have no types of the DOM, in which this one is.
  namespace WebAssembly {
    interface Module {}
  }
}

/** The nodes of a mate search between two looks at the signal: about 50 ms. */
const SLICE = 10_000;

/** The bytes of a file: `fetch` and `FileReader` give an `ArrayBuffer`, Node a `Buffer`. */
export type Bytes = ArrayBuffer | ArrayBufferView;

/** The bytes that a call reads at most. */
const LARGEST = 1 << 30;

/** A refused call. `fault` says what and where, in English and Japanese; the message is its English sentence. */
export class KomabakoError extends Error {
  constructor(readonly fault: ModuleError) {
    super(fault.sentence.en);
    this.name = 'KomabakoError';
  }
}

/** The limits of a search for a mate, and what hears of it. */
export interface SolveOptions extends Partial<Omit<SolveRequest, 'sfen'>> {
  /** Stops the search: `AbortSignal.timeout(5000)`, or a controller's. The outcome then has the verdict `unknown`, unless a mate
   * was found already. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SolveProgress) => void;
}

/** The rules, formats and searches. Every fault is thrown as a `KomabakoError`. */
export class Komabako {
  readonly #module: Module;
  #isSolving = false;

  constructor(module: Module) {
    this.#module = module;
  }

  /** Makes any call of `Calls` by its name: `call('moves', { sfen })`. `raw` follows the request, for calls that read bytes. */
  call<K extends CallName>(name: K, request: Request<K>, raw?: Bytes): Answer<K> {
    return this.callRaw(name, request, raw).answer;
  }

  /** Like `call`, with the raw bytes of the answer: the records of a sample, at its `jobFinish`. */
  callRaw<K extends CallName>(name: K, request: Request<K>, raw?: Bytes): { answer: Answer<K>; raw: Uint8Array } {
    const result = this.#module.callRaw(name, request, raw && checked(raw));
    return { answer: unwrap(result.answer), raw: result.raw };
  }

  /** Reads a position, a word's hex digits, or the games of a KIF, KI2, CSA, JKF or USI file: a text, or a file's bytes in UTF-8,
   * CP932 or EUC-JP. `extension` (`kif`) decides where the content does not. */
  parse(source: string | Bytes, extension?: string): Parsed {
    const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source;
    return unwrap(this.#module.parseFile(extension === undefined ? {} : { extension }, checked(bytes)));
  }

  /** Packs one position: 32 bytes, 30 in `r238`. Files of positions are read faster by `call('records', …)`. */
  pack(sfen: string, format: WordFormat): Uint8Array {
    const word = this.call('words', { sfen }).find((one) => one.format === format);
    if (!word?.hex) throw word?.error ? new KomabakoError(word.error) : new TypeError(`no such format: ${format}`);
    return Uint8Array.from(word.hex.match(/../g)!, (digits) => parseInt(digits, 16));
  }

  /** The SFEN, without a ply, of a packed position. */
  unpack(word: Bytes, format: WordFormat): string {
    const hex = Array.from(checked(word), (byte) => byte.toString(16).padStart(2, '0')).join('');
    const { sfen, error } = this.call('decode', { format, hex });
    if (sfen === null) throw new KomabakoError(error!);
    return sfen;
  }

  /** Searches for a mate by the side to move; by default for the shortest, as in mate problems, with a table of 64 MiB (1 to
   * 1024). Other tasks get a turn about every 50 ms. One search at a time. */
  async solve(sfen: string, { signal, onProgress, goal = 'shortest', hideUseless = true, memory = 64 }: SolveOptions = {}): Promise<SolveOutcome> {
    if (this.#isSolving) throw new Error('another search is running; load a second module for it');
    if (!(memory >= 1 && memory <= 1024)) {
      throw refused('MEMORY_RANGE', 'memory: 1 to 1024 MiB', 'memory: 1 から 1024 MiB です');
    }
    this.#isSolving = true;
    try {
      this.call('solve', { sfen, goal, hideUseless, memory });
      for (;;) {
        const step = this.call('solveStep', { nodes: SLICE });
        if (step.state === 'done') return step.outcome;
        onProgress?.(step.progress);
        await new Promise((resolve) => setTimeout(resolve));
        if (signal?.aborted) return this.call('solveStop', { reason: (signal.reason as Error | undefined)?.name === 'TimeoutError' ? 'time' : 'cancelled' });
      }
    } finally {
      this.#isSolving = false;
    }
  }
}

/** Loads the module. Without `source` it is the file `komabako.wasm` beside this script, which Node reads and browsers fetch;
 * otherwise the address of that file, relative to the page or to Node's working directory, its bytes, or the compiled module. */
export async function load(
  source: URL | string | ArrayBuffer | ArrayBufferView | WebAssembly.Module = new URL('./komabako.wasm', import.meta.url),
): Promise<Komabako> {
  // Bundlers copy the file that the literal above names. Of any other `new URL(…, import.meta.url)` webpack would make a search.
  const address = typeof source === 'string' ? new URL(source, base()) : source;
  const code = address instanceof URL ? await read(address) : address;
  return new Komabako(await Module.instantiate(code as BufferSource | WebAssembly.Module));
}

/** What a relative address is relative to. */
function base(): string {
  if (typeof document === 'object') return document.baseURI;
  return typeof location === 'object' ? location.href : `file://${process.cwd()}/`;
}

async function read(address: URL): Promise<BufferSource> {
  // Node's `fetch` reads no files. An import of its module would trouble bundlers.
  if (address.protocol === 'file:') return process.getBuiltinModule('node:fs/promises').readFile(address) as Promise<Uint8Array<ArrayBuffer>>;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.href}: ${response.status}`);
  return response.arrayBuffer();
}

/** The bytes of a buffer or of any view. Refuses an input for which the module's memory is too small, and after which it could not
 * be called again. */
function checked(source: Bytes): Uint8Array {
  const isBuffer = Object.prototype.toString.call(source) === '[object ArrayBuffer]';
  if (!isBuffer && !ArrayBuffer.isView(source)) {
    const type = Object.prototype.toString.call(source).slice(8, -1);
    throw refused('INPUT_TYPE', `${type}: bytes are an ArrayBuffer or a Uint8Array`, `${type}: バイト列は ArrayBuffer か Uint8Array で渡してください`);
  }
  const bytes = isBuffer ? new Uint8Array(source as ArrayBuffer) : viewed(source as ArrayBufferView);
  if (bytes.length <= LARGEST) return bytes;
  throw refused('INPUT_SIZE', 'more than 1 GiB at once: pass a file in pieces', '一度に渡せるのは1 GiBまでです。ファイルは分けて渡してください');
}

const viewed = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => new Uint8Array(buffer, byteOffset, byteLength);

const refused = (name: string, en: string, ja: string) => new KomabakoError({ name, sentence: { en, ja } });

function unwrap<T>(answer: { ok?: T | undefined; error?: ModuleError | undefined }): T {
  if (answer.error) throw new KomabakoError(answer.error);
  return answer.ok as T;
}
