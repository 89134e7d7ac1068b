import { isTime } from './time';

/** `2023-10-02T12:00:00`, with an optional fraction and an optional `Z` or offset. */
const WRITTEN = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])(\d{2}):(\d{2}))?$/;

const MINUTE_MS = 60_000;

/**
 * Reads a time in ISO 8601. It is in UTC unless it has an offset.
 *
 * @returns integer milliseconds since 1970, rounded down; null for other texts, for dates that do not exist, and for years before 1970 or after 9999
 */
export function parseTime(text: string): number | null {
  const match = WRITTEN.exec(text);
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match.slice(7);
  if (hour > 23 || minute > 59 || second > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  date.setUTCHours(hour, minute, second, Number(fraction.padEnd(3, '0').slice(0, 3)));
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * MINUTE_MS;
  const at = date.getTime() - (sign === '-' ? -offset : offset);
  return isTime(at / 1_000) ? at : null;
}
