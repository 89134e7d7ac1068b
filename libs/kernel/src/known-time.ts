/** 2000-01-01 in epoch seconds. Earlier times are placeholders: 0, the year 1 of Go, and 1970 or 1980 of reproducible builds. */
const FIRST_KNOWN = 946_684_800;

/** A time of others in epoch seconds; null where it is unknown. Unknown times enter no difference, and answers write 0 for them. */
export function knownTime(seconds: number | null | undefined): number | null {
  return seconds === null || seconds === undefined || !(seconds >= FIRST_KNOWN) ? null : seconds;
}
