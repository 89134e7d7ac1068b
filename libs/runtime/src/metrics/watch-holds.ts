import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** How often the main thread is checked while it works, and while it is idle (milliseconds). Each check wakes an idle process. */
const TICK_MS = 10;
const IDLE_TICK_MS = 50;
/** A check is quiet if the thread computed for less than this share of the time. After `QUIET_LOOKS` quiet checks, the thread counts as idle. */
const QUIET_SHARE = 0.1;
const QUIET_LOOKS = 5;
/** The channel on which Node publishes each arriving request. */
const ARRIVALS = 'http.server.request.start';

/** Elapsed time, and the time for which the calling thread computed (milliseconds). */
export interface Stopwatch {
  wall(): number;
  cpu(): number;
}

/**
 * Measures holds of the main thread: the time in which the thread computed and no timer could run. It does not count the time in which the
 * operating system gave the processor to others, so that a busy machine does not look like a busy service. A measured hold is up to 10 ms too
 * short, and up to 50 ms if the thread was idle before and no request began the hold.
 *
 * @param observe is called with each hold above 10 ms (seconds)
 * @returns a function that stops measuring
 */
export function watchHolds(observe: (seconds: number) => void, watch: Stopwatch = STOPWATCH): () => void {
  const read = () => ({ wall: watch.wall(), cpu: watch.cpu() });
  let last = read();
  let quietTicks = 0;
  let tick = TICK_MS;
  let timer = setInterval(look, tick).unref();

  function look(): void {
    const now = read();
    const wall = now.wall - last.wall;
    const cpu = now.cpu - last.cpu;
    const hold = Math.min(wall - tick, cpu);
    if (hold > TICK_MS) observe(hold / 1_000);
    last = now;
    quietTicks = cpu < wall * QUIET_SHARE ? quietTicks + 1 : 0;
    each(quietTicks < QUIET_LOOKS ? TICK_MS : IDLE_TICK_MS);
  }

  function each(milliseconds: number): void {
    if (milliseconds === tick) return;
    clearInterval(timer);
    tick = milliseconds;
    timer = setInterval(look, tick).unref();
  }

  function onTick(): void {
    if (tick === TICK_MS) return;
    last = read();
    quietTicks = 0;
    each(TICK_MS);
  }

  subscribe(ARRIVALS, onTick);
  return () => {
    unsubscribe(ARRIVALS, onTick);
    clearInterval(timer);
  };
}

const STOPWATCH: Stopwatch = {
  wall: () => performance.now(),
  cpu: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  },
};
