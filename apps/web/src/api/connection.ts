import { useSyncExternalStore } from 'react';

/** The time since which the service does not answer, in epoch milliseconds; null while it answers. */
let lostSince: number | null = null;
const listeners = new Set<() => void>();

function set(since: number | null): void {
  lostSince = since;
  for (const tell of listeners) tell();
}

/** Records that the service does not answer. */
export function connectionLost(): void {
  if (lostSince === null) set(Date.now());
}

/** Records that the service answers, even if it answered before. */
export function connectionFound(): void {
  if (lostSince !== null) set(null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The time since which the service does not answer, in epoch seconds; null while it answers. */
export function useLostSince(): number | null {
  const since = useSyncExternalStore(subscribe, () => lostSince);
  return since === null ? null : since / 1000;
}

/** Calls the listener when the service answers again. */
export function whenConnected(listener: () => void): () => void {
  return subscribe(() => {
    if (lostSince === null) listener();
  });
}
