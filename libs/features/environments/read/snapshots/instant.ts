import { isTime } from '@assurance/kernel';

/** `2023-10-02T12:00:00`, with a fraction, `Z` or an offset where given. */
const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))?$/;
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
 * Reads a time as people write it: UTC unless it has an offset.
 *
 * @returns integer milliseconds, rounded down; null for anything else: dates that do not exist, years before 1970 and after 9999 included
 */
export function readWritten(text: string): number | null {
  const found = WRITTEN.exec(text);
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const [fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = found.slice(7);
  if (hour > 23 || minute > 59 || second > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  date.setUTCHours(hour, minute, second, Number(fraction.padEnd(3, '0').slice(0, 3)));
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE_MS;
  const at = date.getTime() - (sign === '-' ? -offset : offset);
  return isTime(at / 1_000) ? at : null;
}

/**
 * Reads how long ago, such as `5.hours.ago`. Months are those of the calendar, in UTC; a day that the month has not is its last.
 *
 * @param now integer milliseconds
 * @param loose the dots and `ago` may be left out, as lists take it
 * @returns integer milliseconds; null for anything else
 */
export function readAgo(text: string, now: number, loose: boolean): number | null {
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
