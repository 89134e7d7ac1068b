/** A date and a time of day with an offset (RFC 3339). */
const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Reads a time of a file, in integer milliseconds since 1970; null for any other value. */
export function timeOf(value: unknown): number | null {
  const [text = '', day = ''] = (typeof value === 'string' ? TIME.exec(value) : null) ?? [];
  const [time, midnight] = [Date.parse(text), Date.parse(day)];
  if (!Number.isFinite(time) || !Number.isFinite(midnight)) return null;
  // `Date.parse` reads a day that does not exist, such as 30 February, as another day.
  return new Date(midnight).toISOString().startsWith(day) ? time : null;
}
