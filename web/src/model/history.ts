/** Undo and redo over values: the last 100 states before the present one, and what was undone since. */

const STEPS = 100;

export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [] };
}

/** Makes `next` the present, as a step that can be undone. */
export function record<T>(history: History<T>, next: T): History<T> {
  return { past: [...history.past, history.present].slice(-STEPS), present: next, future: [] };
}

/** Exchanges the present without a step: moving through a game is not an edit. */
export function replacePresent<T>(history: History<T>, present: T): History<T> {
  return { ...history, present };
}

export function undo<T>(history: History<T>): History<T> {
  const present = history.past.at(-1);
  if (present === undefined) return history;
  return { past: history.past.slice(0, -1), present, future: [history.present, ...history.future] };
}

export function redo<T>(history: History<T>): History<T> {
  const [present, ...future] = history.future;
  if (present === undefined) return history;
  return { past: [...history.past, history.present], present, future };
}
