/** 2000-01-01 in epoch seconds. Earlier times are placeholders: 0, the year 1 in Go, and 1970 or 1980 in reproducible builds. */
const FIRST_PLAUSIBLE = 946_684_800;

/**
 * A reported time in epoch seconds; null if it is missing or a placeholder. Comparisons ignore missing times and placeholders,
 * and answers show 0 for them.
 */
export function plausibleTime(seconds: number | null | undefined): number | null {
  return seconds === null || seconds === undefined || !(seconds >= FIRST_PLAUSIBLE) ? null : seconds;
}
