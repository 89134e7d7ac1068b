/** The last second of the year 9999, in epoch seconds. Valid times are between 0 (1970) and this one. */
export const SECONDS_MAX = 253_402_300_799;

/**
 * Whether a number of seconds since 1970 is a time in the years 1970 to 9999. It is false for current times in milliseconds
 * or microseconds.
 */
export function isTime(seconds: number): boolean {
  return seconds >= 0 && seconds <= SECONDS_MAX;
}

/**
 * A time in ISO 8601, such as `2026-11-22T08:00:00.000Z`. Old records may contain times outside of the calendar; these are
 * written as a number of seconds.
 *
 * @param at milliseconds since 1970
 */
export function isoOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? `${at / 1_000} s since 1970` : date.toISOString();
}
