/** The last second of the year 9999, in epoch seconds: times lie between 0 (1970) and it. */
export const SECONDS_MAX = 253_402_300_799;

/**
 * Whether a number of seconds since 1970 lies in the years 1970 to 9999. Current times in milliseconds or microseconds
 * do not.
 */
export function isTime(seconds: number): boolean {
  return seconds >= 0 && seconds <= SECONDS_MAX;
}

/**
 * A time in ISO 8601, such as `2026-11-22T08:00:00.000Z`. A time outside of the calendar, which old records may
 * contain, is written as its number.
 *
 * @param at milliseconds since 1970
 */
export function isoOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? `${at / 1_000} s since 1970` : date.toISOString();
}
