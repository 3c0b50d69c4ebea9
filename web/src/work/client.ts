/** The page's side of a worker. */

import type { ModuleError } from '../module.js';
import { CANCELLED, failure } from './failures.js';
import type { FromWorker, SolveTask, TaskName, Tasks, ToWorker } from './protocol.js';

/** The error of a task without a result; `fault.name` is `CANCELLED` if the user cancelled it. */
export class TaskFailed extends Error {
  constructor(readonly fault: ModuleError) {
    super(fault.sentence.en);
  }
}

export interface Running<K extends TaskName> {
  readonly result: Promise<Tasks[K][2]>;
  /** Asks the worker to stop the task; terminates the worker if it does not respond within a second. */
  cancel(): void;
}

interface Pending {
  readonly message: Extract<ToWorker, { id: number }>;
  isCancelled: boolean;
  readonly onProgress: (progress: never) => void;
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

const CANCEL_TIMEOUT = 1000;

export class Client {
  readonly #module: WebAssembly.Module;
  readonly #warmUp: readonly SolveTask[];
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | null = null;
  #next = 1;
  #ready: Promise<void> | null = null;
  /** The result of the search that the worker's module holds. */
  #held: unknown = null;

  constructor(module: WebAssembly.Module, warmUp: readonly SolveTask[] = []) {
    this.#module = module;
    this.#warmUp = warmUp;
  }

  run<K extends TaskName>(task: K, request: Tasks[K][0], onProgress: (progress: Tasks[K][1]) => void = () => {}): Running<K> {
    const id = this.#next;
    this.#next += 1;
    const message = { id, task, request } as Pending['message'];
    const result = new Promise<Tasks[K][2]>((resolve, reject) => {
      // Where no worker can be started, the promise is rejected.
      this.#post(message);
      this.#pending.set(id, { message, isCancelled: false, onProgress, resolve, reject });
    });
    if (task === 'solve') this.#held = null;
    return { result, cancel: () => this.#cancel(id) };
  }

  /** Whether the worker's module still holds the search with this result, so that its tree can be asked for. */
  holds(solved: unknown): boolean {
    return this.#held === solved;
  }

  /** Starts the worker, so that the first task does not wait for it. */
  ready(): Promise<void> {
    this.#ready ??= this.run('ready', null).result.then(() => undefined);
    return this.#ready;
  }

  /** Terminates the worker, with the cancelled tasks; a new worker takes the others. Only this frees memory, because the memory
   * of a module never shrinks. */
  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#ready = null;
    this.#held = null;
    for (const [id, { message, isCancelled, reject }] of this.#pending) {
      if (!isCancelled) this.#post(message);
      else if (this.#pending.delete(id)) reject(new TaskFailed(CANCELLED));
    }
  }

  #post(message: ToWorker): void {
    if (!this.#worker) {
      this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
      this.#worker.addEventListener('message', (event: MessageEvent<FromWorker>) => this.#receive(event.data));
      this.#worker.addEventListener('error', ({ message }) => this.#fail(message));
      this.#worker.postMessage({ start: this.#module, warmUp: this.#warmUp } satisfies ToWorker);
    }
    this.#worker.postMessage(message);
  }

  /** Ends all tasks of a worker that could not be loaded, or that stopped. The next task starts another one. */
  #fail(message: string | undefined): void {
    for (const { reject } of this.#pending.values()) reject(new TaskFailed(failure(message ?? 'worker')));
    this.#pending.clear();
    this.close();
  }

  #cancel(id: number): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    pending.isCancelled = true;
    this.#post({ cancel: id });
    setTimeout(() => {
      if (this.#pending.has(id)) this.close();
    }, CANCEL_TIMEOUT);
  }

  #receive(message: FromWorker): void {
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    if ('progress' in message) {
      pending.onProgress(message.progress as never);
      return;
    }
    this.#pending.delete(message.id);
    if ('failed' in message) pending.reject(new TaskFailed(typeof message.failed === 'string' ? failure(message.failed) : message.failed));
    else {
      if (pending.message.task === 'solve') this.#held = message.result;
      pending.resolve(message.result as never);
    }
  }
}
