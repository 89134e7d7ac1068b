import type { Progress } from '@assurance/event-sourcing/operation';

/** Reports progress at most once in `intervalMs` milliseconds. `flush` reports the last value that was held back. */
export function throttle(send: (progress: Progress) => void, intervalMs: number) {
  let last = -Infinity;
  let latest: Progress | null = null;
  const report = (progress: Progress): void => {
    latest = progress;
    if (performance.now() - last >= intervalMs) flush();
  };
  const flush = (): void => {
    if (latest === null) return;
    last = performance.now();
    const progress = latest;
    latest = null;
    send(progress);
  };
  return { report, flush };
}
