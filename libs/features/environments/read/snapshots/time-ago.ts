/** `5.hours.ago`; lists also take `5hours`, `5.hours` and `5hours.ago`. */
const AGO = /^(\d{1,6})(\.?)(minute|hour|day|week|month)s?(\.ago)?$/;

const MINUTE_MS = 60_000;
const UNITS_MS = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
  week: 7 * 24 * 60 * MINUTE_MS,
} as const;

/**
 * Reads how long ago, such as `5.hours.ago`. Months are those of the calendar, in UTC; a day that the month has not is its last.
 *
 * @param now integer milliseconds
 * @param loose the dots and `ago` may be left out, as lists take it
 * @returns integer milliseconds; null for anything else
 */
export function parseTimeAgo(text: string, now: number, loose: boolean): number | null {
  const [, digits, dot, unit, ago] = AGO.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return null;
  if (!loose && (dot === '' || ago === undefined)) return null;
  const count = Number(digits);
  return unit === 'month' ? monthsBefore(now, count) : now - count * UNITS_MS[unit as keyof typeof UNITS_MS];
}

function monthsBefore(now: number, months: number): number {
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const last = new Date(date.getTime());
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  date.setUTCDate(Math.min(day, last.getUTCDate()));
  return date.getTime();
}
