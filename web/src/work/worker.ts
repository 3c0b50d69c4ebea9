/** A worker: one module, one task at a time. It processes messages between slices of about 50 ms, so that a cancel is
 * noticed within 100 ms; the module itself has no clock. */

import { decompressed, loadDecompress } from '../model/compression.js';
import { Module, type ModuleError } from '../module.js';
import { CANCELLED, DAMAGED } from './failures.js';
import type { FromWorker, JobTask, PerftReport, SolveTask, TaskName, Tasks, ToWorker } from './protocol.js';

/** The duration of a slice, and the interval of progress reports, in milliseconds. */
const SLICE = 50;
const REPORT = 250;
const CHUNK = 4 << 20;

class Failed extends Error {
  constructor(readonly fault: ModuleError) {
    super(fault.sentence.en);
  }
}

let loading: Promise<Module> | null = null;
const cancelled = new Set<number>();
/** The tasks in the order of their requests: the module keeps the state of one search and one count only. */
let queue: Promise<void> = Promise.resolve();

/** Processes waiting messages. A timer would wait 4 ms each time. */
function yieldToMessages(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      resolve();
    };
    channel.port2.postMessage(null);
  });
}

function checked<T>(answer: { ok?: T | undefined; error?: ModuleError | undefined }): T {
  if (answer.error) throw new Failed(answer.error);
  return answer.ok as T;
}

/** The amount of work for the next slice, so that it takes about `SLICE` milliseconds. */
function adapt(amount: number, took: number): number {
  return Math.round(Math.min(Math.max((amount * SLICE) / Math.max(took, 1), amount / 4, 100), amount * 4));
}

/** Instantiates and warms up the module before any task, because the warm-up must not interrupt the steps of a search. */
async function start(compiled: WebAssembly.Module, warmUp: readonly SolveTask[]): Promise<Module> {
  // Without it only compressed files cannot be read, and their task says so.
  void loadDecompress().catch(() => undefined);
  const module = await Module.instantiate(compiled);
  for (const task of warmUp) await solve(module, 0, task, () => undefined);
  return module;
}

type Report<K extends TaskName> = (progress: Tasks[K][1]) => void;

/** Wraps `report` so that it is called at most every `REPORT` milliseconds. */
function throttled<T>(report: (progress: T) => void): (make: () => T) => void {
  let last = performance.now();
  return (make) => {
    const now = performance.now();
    if (now - last < REPORT) return;
    last = now;
    report(make());
  };
}

async function solve(module: Module, id: number, task: SolveTask, report: Report<'solve'>): Promise<Tasks['solve'][2]> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const { seconds: limit, ...request } = task;
  const started = checked(module.call('solve', request));
  const reportProgress = throttled(report);
  for (let nodes = 2000; ; ) {
    const before = performance.now();
    const step = checked(module.call('solveStep', { nodes }));
    if (step.state === 'done') return { ...step.outcome, started, seconds: seconds() };
    nodes = adapt(nodes, performance.now() - before);
    reportProgress(() => ({ ...step.progress, seconds: seconds() }));
    await yieldToMessages();
    const late = limit !== null && seconds() >= limit;
    if (late || cancelled.has(id)) {
      const outcome = checked(module.call('solveStop', { reason: late ? 'time' : 'cancelled' }));
      return { ...outcome, started, seconds: seconds() };
    }
  }
}

async function perft(module: Module, id: number, request: Tasks['perft'][0], report: Report<'perft'>): Promise<PerftReport> {
  const began = performance.now();
  const { roots } = checked(module.call('perft', request));
  const reportProgress = throttled(report);
  for (let amount = 20_000; ; ) {
    const before = performance.now();
    const { done, nodes, counts } = checked(module.call('perftStep', { nodes: amount }));
    const now = { roots, counts, nodes, seconds: (performance.now() - began) / 1000 };
    if (done) return now;
    amount = adapt(amount, performance.now() - before);
    reportProgress(() => now);
    await yieldToMessages();
    if (cancelled.has(id)) throw new Failed(CANCELLED);
  }
}

async function job(module: Module, id: number, task: JobTask, report: Report<'job'>): Promise<Tasks['job'][2]> {
  const began = performance.now();
  checked(module.call('job', task.job));
  const reportProgress = throttled(report);
  let bytes = 0;
  let done = { records: 0, bad: 0 };
  for await (const chunk of chunks(task)) {
    bytes += chunk.length;
    done = checked(module.call('jobPush', { last: false }, chunk));
    reportProgress(() => ({ ...done, bytes, seconds: (performance.now() - began) / 1000 }));
    await yieldToMessages();
    if (cancelled.has(id)) throw new Failed(CANCELLED);
  }
  checked(module.call('jobPush', { last: true }));
  const { answer, raw } = module.callRaw('jobFinish', {});
  return { ...checked(answer), raw: raw as Uint8Array<ArrayBuffer> };
}

async function* chunks(task: JobTask): AsyncGenerator<Uint8Array> {
  if (!task.compression) {
    for (let at = 0; at < task.file.size; at += CHUNK) yield new Uint8Array(await task.file.slice(at, at + CHUNK).arrayBuffer());
    return;
  }
  try {
    yield* decompressed(task.file, task.compression);
  } catch {
    throw new Failed(DAMAGED);
  }
}

async function run(module: Module, message: Extract<ToWorker, { task: TaskName }>): Promise<unknown> {
  const { id } = message;
  const report = (progress: unknown) => postMessage({ id, progress } satisfies FromWorker);
  switch (message.task) {
    case 'ready':
      return null;
    case 'solve':
      return solve(module, id, message.request, report);
    case 'children':
      return checked(module.call('solveChildren', message.request));
    case 'check':
      return checked(module.call('solveCheck', message.request));
    case 'perft':
      return perft(module, id, message.request, report);
    case 'job':
      return job(module, id, message.request, report);
  }
}

async function answer(message: Extract<ToWorker, { task: TaskName }>): Promise<void> {
  const { id } = message;
  try {
    const result = await run((await loading)!, message);
    postMessage({ id, result } satisfies FromWorker);
  } catch (error) {
    const failed = error instanceof Failed ? error.fault : String(error);
    postMessage({ id, failed } satisfies FromWorker);
  } finally {
    cancelled.delete(id);
  }
}

addEventListener('message', (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if ('start' in message) loading = start(message.start, message.warmUp);
  else if ('cancel' in message) cancelled.add(message.cancel);
  else queue = queue.then(() => answer(message));
});
