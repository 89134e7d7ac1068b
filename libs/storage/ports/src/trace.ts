import type { Commit } from './commit';

const traces = new WeakMap<Commit, string>();

/**
 * The span that caused a commit, as W3C `traceparent`; null if unknown. It is stored beside the commit and is not part of it; engines
 * that send commits to other processes send it too.
 */
export function traceOf(commit: Commit): string | null {
  return traces.get(commit) ?? null;
}

/** Records the span that caused a commit, if there is one. */
export function setTrace(commit: Commit, traceparent: string | null | undefined): void {
  if (typeof traceparent === 'string') traces.set(commit, traceparent);
}
