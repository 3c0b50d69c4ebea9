/** A result belongs to its subject: the position, file or record that it was computed for. This is the only place where the
 * page receives results of asynchronous work, so that none is shown with another subject. */

import type { ModuleError } from '../module.js';
import { TaskFailed } from './client.js';
import { failure } from './failures.js';

interface Owned<S, T> {
  readonly subject: S;
  readonly value: T;
}

/** Work that can be waited for and, if it takes long, cancelled. */
export interface Cancellable<R> {
  readonly result: Promise<R>;
  cancel?(): void;
}

/** The asynchronous work of one element: at most one task at a time, which ends when the subject changes. */
export class Task<S, P, R> {
  #running: Owned<S, Cancellable<R>> | null = null;
  #report: Owned<S, P> | null = null;
  #result: Owned<S, R> | null = null;
  #fault: Owned<S, ModuleError> | null = null;
  readonly #changed: () => void;

  /** `changed` is called after every change. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }
  /** The last progress, result and fault of a subject; null if they belong to another one. */
  reportOf(subject: S): P | null {
    return of(this.#report, subject);
  }
  resultOf(subject: S): R | null {
    return of(this.#result, subject);
  }
  faultOf(subject: S): ModuleError | null {
    return of(this.#fault, subject);
  }
  /** The last result with its subject, to be shown as such beside another subject. */
  get last(): Owned<S, R> | null {
    return this.#result;
  }

  /** Cancels a task with another subject than the shown one. */
  turnTo(subject: S): void {
    if (this.#running && this.#running.subject !== subject) this.abandon();
  }

  /** Starts work on a subject and forgets earlier results. Returns its result; null if it failed or was abandoned. */
  async run(subject: S, start: (report: (progress: P) => void) => Cancellable<R>): Promise<R | null> {
    this.abandon();
    [this.#report, this.#result, this.#fault] = [null, null, null];
    const running: Owned<S, Cancellable<R>> = {
      subject,
      value: start((value) => {
        if (this.#running !== running) return;
        this.#report = { subject, value };
        this.#changed();
      }),
    };
    this.#running = running;
    this.#changed();
    try {
      const value = await running.value.result;
      if (this.#running !== running) return null;
      this.#result = { subject, value };
      return value;
    } catch (error) {
      const fault = error instanceof TaskFailed ? error.fault : failure(error);
      if (this.#running === running && fault.name !== 'CANCELLED') this.#fault = { subject, value: fault };
      return null;
    } finally {
      if (this.#running === running) {
        this.#running = null;
        this.#changed();
      }
    }
  }

  /** Asks the running task to stop; its result, if any, is still shown. */
  cancel(): void {
    this.#running?.value.cancel?.();
  }

  /** Cancels the running task and ignores what it still returns. */
  abandon(): void {
    const running = this.#running;
    this.#running = null;
    running?.value.cancel?.();
  }
}

function of<S, T>(owned: Owned<S, T> | null, subject: S): T | null {
  return owned && owned.subject === subject ? owned.value : null;
}
