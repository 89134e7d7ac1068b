/** A message is given up after this number of attempts. */
export const TRIES_MAX = 16;
/** A message is also given up this long after it was written, if its target fails (milliseconds). */
export const GIVE_UP_AFTER_MS = 24 * 3600 * 1_000;
/** The longest wait, even if a target asks for a longer one (milliseconds). */
export const WAIT_MAX_MS = 24 * 3600 * 1_000;
/** The longest pause of a failing target, unless it asks for a longer one. The pause is short, because other messages wait for it too. */
export const TARGET_PAUSE_MAX_MS = 5 * 60 * 1_000;

const FIRST_MS = 1_000;
const LONGEST_MS = 3600 * 1_000;

/**
 * How long to wait after a failed attempt. The wait doubles each time, up to an hour. A random part spreads the attempts of several processes.
 *
 * @param tries the number of failed attempts, from 1
 * @param random from 0 to 1; decides half of the wait
 */
export function backoff(tries: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries - 1, 30));
  return Math.round(longest / 2 + (longest / 2) * random);
}

/**
 * The delay of a `Retry-After` header in milliseconds from now, bounded; null if the header cannot be read.
 *
 * @param now integer milliseconds
 * @param parseDate reads an HTTP date as integer milliseconds; NaN if it is not a date
 */
export function retryAfter(text: string | null, now: number, parseDate: (text: string) => number): number | null {
  if (text === null) return null;
  const wait = /^\s*[0-9]{1,9}\s*$/.test(text) ? Number(text) * 1_000 : parseDate(text) - now;
  return Number.isNaN(wait) ? null : Math.min(WAIT_MAX_MS, Math.max(0, wait));
}
