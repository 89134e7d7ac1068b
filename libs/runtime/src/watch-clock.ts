import type { Clock } from '@assurance/event-sourcing/tokens';

/** How many seconds `earliest` looks back at least. */
const SECONDS = 30;
const SECOND_MS = 1_000;

/** A clock that is read every second until it is stopped. */
export interface WatchedClock extends Clock {
  stop(): void;
}

/**
 * A clock that remembers its lowest recent reading, so that it notices if the machine's clock is set.
 *
 * @param now integer milliseconds since 1970
 * @param steady milliseconds that pass evenly
 */
export function watchClock(now: () => number, steady: () => number = () => performance.now()): WatchedClock {
  /** The lowest reading in each of the last seconds. It has `SECONDS` + 1 entries, because the current second is not over. */
  const minima = Array.from({ length: SECONDS + 1 }, () => ({ second: -Infinity, least: Infinity }));
  const look = () => {
    const time = now();
    const second = Math.floor(steady() / SECOND_MS);
    const place = minima[second % minima.length];
    if (place !== undefined && place.second !== second) Object.assign(place, { second, least: time });
    else if (place !== undefined && time < place.least) place.least = time;
    return time;
  };
  look();
  // Other processes use the same clock, so its values count even while this process does not ask for the time.
  const timer = setInterval(look, SECOND_MS).unref();
  return {
    now: look,
    steady,
    earliest() {
      const time = look();
      const since = Math.floor(steady() / SECOND_MS) - SECONDS;
      return minima.reduce((least, place) => (place.second >= since ? Math.min(least, place.least) : least), time);
    },
    stop: () => clearInterval(timer),
  };
}
