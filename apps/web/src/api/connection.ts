import { useSyncExternalStore } from 'react';

/** Since when the service does not answer, in epoch milliseconds; null while it does. */
let lostSince: number | null = null;
const listeners = new Set<() => void>();

function set(since: number | null): void {
  lostSince = since;
  for (const tell of listeners) tell();
}

/** Notes that the service does not answer. */
export function connectionLost(): void {
  if (lostSince === null) set(Date.now());
}

/** Notes that the service answers, whether it did before or not. */
export function connectionFound(): void {
  if (lostSince !== null) set(null);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Since when the service does not answer, in epoch seconds; null while it does. */
export function useLostSince(): number | null {
  const since = useSyncExternalStore(subscribe, () => lostSince);
  return since === null ? null : since / 1000;
}

/** Calls back when the service answers again. */
export function whenConnected(listener: () => void): () => void {
  return subscribe(() => {
    if (lostSince === null) listener();
  });
}
