/** Undo and redo over immutable states: the last 100 states before the present one, and the undone states. */

const STEPS = 100;

export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
}

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [] };
}

/** Makes `next` the present state, as a step that can be undone. */
export function record<T>(history: History<T>, next: T): History<T> {
  return { past: [...history.past, history.present].slice(-STEPS), present: next, future: [] };
}

/** Replaces the present state without an undo step: navigating in a game is not an edit. */
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
