import type { Progress } from '@assurance/event-sourcing/operation';

/** Reports progress at most once in `every` milliseconds. `flush` reports the last value that was held back. */
export function throttled(send: (progress: Progress) => void, every: number) {
  let last = -Infinity;
  let held: Progress | null = null;
  const report = (progress: Progress): void => {
    held = progress;
    if (performance.now() - last >= every) flush();
  };
  const flush = (): void => {
    if (held === null) return;
    last = performance.now();
    const progress = held;
    held = null;
    send(progress);
  };
  return { report, flush };
}
