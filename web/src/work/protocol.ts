/** The requests of the page to a worker, and the answers. There is no version number: page and worker are built together,
 * and the service worker serves both from the same version. */

import type { Compression } from '../model/compression.js';
import type {
  CheckReport, JobFinished, JobRequest, ModuleError, MoveText, PerftRequest, SolveCheckRequest, SolveChild, SolveChildrenRequest, SolveOutcome, SolveProgress,
  SolveRequest, SolveStarted,
} from '../module.js';

export interface SolveTask extends SolveRequest {
  /** The time limit; null means until the search ends or is cancelled. */
  readonly seconds: number | null;
}
export interface SolveReport extends SolveProgress {
  readonly seconds: number;
}
export interface Solved extends SolveOutcome {
  readonly started: SolveStarted;
  readonly seconds: number;
}
export interface PerftReport {
  readonly roots: readonly MoveText[];
  readonly counts: readonly number[];
  readonly nodes: number;
  readonly seconds: number;
}
export interface JobTask {
  readonly job: JobRequest;
  readonly file: Blob;
  readonly compression: Compression | null;
}
export interface JobReport {
  readonly bytes: number;
  readonly records: number;
  readonly bad: number;
  readonly seconds: number;
}
export interface JobResult extends JobFinished {
  readonly raw: Uint8Array<ArrayBuffer>;
}

/** Every task: its request, its progress and its result. */
export interface Tasks {
  /** Answered once the module can be called. */
  ready: [null, never, null];
  solve: [SolveTask, SolveReport, Solved];
  children: [SolveChildrenRequest, never, SolveChild[]];
  check: [SolveCheckRequest, never, CheckReport];
  perft: [PerftRequest, PerftReport, PerftReport];
  job: [JobTask, JobReport, JobResult];
}
export type TaskName = keyof Tasks;

export type ToWorker =
  | { readonly start: WebAssembly.Module; readonly warmUp: readonly SolveTask[] }
  | { readonly cancel: number }
  | { [K in TaskName]: { readonly id: number; readonly task: K; readonly request: Tasks[K][0] } }[TaskName];

export type FromWorker =
  | { readonly id: number; readonly progress: unknown }
  | { readonly id: number; readonly result: unknown }
  /** A fault, or an error that the page has a sentence for. */
  | { readonly id: number; readonly failed: ModuleError | string };
