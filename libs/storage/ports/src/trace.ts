import type { Commit } from './commit';

const traces = new WeakMap<Commit, string>();

/**
 * The span that caused a commit, in W3C's form (`traceparent`), null where none is known. It travels beside the commit, and is no part of it:
 * engines that take commits to other processes take it along.
 */
export function traceOf(commit: Commit): string | null {
  return traces.get(commit) ?? null;
}

/** Says which span caused a commit; nothing where there is none. */
export function setTrace(commit: Commit, traceparent: string | null | undefined): void {
  if (typeof traceparent === 'string') traces.set(commit, traceparent);
}
