/** How often the main thread is looked at (milliseconds). */
const TICK_MS = 10;

/** Milliseconds that pass, and milliseconds for which the calling thread computed. */
export interface Stopwatch {
  wall(): number;
  cpu(): number;
}

/**
 * Measures how long the main thread is held: for how long no timer could run while the thread computed. Time for which the operating system
 * gave the processor to others does not count, so that a busy machine does not look like a busy service. A hold is measured up to 10 ms short.
 *
 * @param observe is called with each hold above 10 ms (seconds)
 * @returns stops measuring
 */
export function watchHolds(observe: (seconds: number) => void, watch: Stopwatch = STOPWATCH): () => void {
  let last = { wall: watch.wall(), cpu: watch.cpu() };
  const timer = setInterval(() => {
    const now = { wall: watch.wall(), cpu: watch.cpu() };
    const hold = Math.min(now.wall - last.wall - TICK_MS, now.cpu - last.cpu);
    if (hold > TICK_MS) observe(hold / 1_000);
    last = now;
  }, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const STOPWATCH: Stopwatch = {
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  },
};
