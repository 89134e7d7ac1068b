import { subscribe, unsubscribe } from 'node:diagnostics_channel';

/** How often the main thread is looked at while it works, and while it rests (milliseconds). Each look wakes an idle process. */
const TICK_MS = 10;
const IDLE_TICK_MS = 50;
/** A look is quiet when the thread computed for less than this share of the time. After so many quiet looks the thread rests. */
const QUIET_SHARE = 0.1;
const QUIET_LOOKS = 5;
/** The channel on which Node publishes each request as it arrives. */
const ARRIVALS = 'http.server.request.start';

/** Milliseconds that pass, and milliseconds for which the calling thread computed. */
export interface Stopwatch {
  wall(): number;
  cpu(): number;
}

/**
 * Measures how long the main thread is held: for how long no timer could run while the thread computed. Time for which the operating system
 * gave the processor to others does not count, so that a busy machine does not look like a busy service. A hold is measured up to 10 ms short,
 * and up to 50 ms where the thread rested before and no request began it.
 *
 * @param observe is called with each hold above 10 ms (seconds)
 * @returns stops measuring
 */
export function watchHolds(observe: (seconds: number) => void, watch: Stopwatch = STOPWATCH): () => void {
  const read = () => ({ wall: watch.wall(), cpu: watch.cpu() });
  let last = read();
  let quiet = 0;
  let tick = TICK_MS;
  let timer = setInterval(look, tick).unref();

  function look(): void {
    const now = read();
    const wall = now.wall - last.wall;
    const cpu = now.cpu - last.cpu;
    const hold = Math.min(wall - tick, cpu);
    if (hold > TICK_MS) observe(hold / 1_000);
    last = now;
    quiet = cpu < wall * QUIET_SHARE ? quiet + 1 : 0;
    each(quiet < QUIET_LOOKS ? TICK_MS : IDLE_TICK_MS);
  }

  function each(milliseconds: number): void {
    if (milliseconds === tick) return;
    clearInterval(timer);
    tick = milliseconds;
    timer = setInterval(look, tick).unref();
  }

  function arrived(): void {
    if (tick === TICK_MS) return;
    last = read();
    quiet = 0;
    each(TICK_MS);
  }

  subscribe(ARRIVALS, arrived);
  return () => {
    unsubscribe(ARRIVALS, arrived);
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
