import type { Zone } from '../ui/format';

const DAY = 24 * 3600;
const MINUTES = 5 * 60;

/** The beginning of the day (UTC) some days ago, in epoch seconds. The value stays the same for a whole day, so that answers can be cached. */
export const daysAgo = (days: number): number => (Math.floor(Date.now() / 1000 / DAY) - days) * DAY;

/** The time some hours ago in epoch seconds. The value stays the same for five minutes. */
export const hoursAgo = (hours: number): number => Math.floor((Date.now() / 1000 - hours * 3600) / MINUTES) * MINUTES;

/** The time in some days, in epoch seconds. */
export const inDays = (days: number): number => Math.floor(Date.now() / 1000) + days * DAY;

/** The name of a zone in the form that the API accepts. */
export const nameOf = (zone: Zone): string =>
  zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;

export type BucketSize = 'day' | 'week' | 'month';

/** A period of time, and the length of its buckets. The period begins and ends with a bucket. */
export interface Period {
  /** Epoch seconds. */
  readonly start: number;
  /** Epoch seconds, exclusive; null: the period has not ended. */
  readonly end: number | null;
  readonly bucket: BucketSize;
  /** Such as `Last 4 weeks`; left out where a page has no other name for it than its ends. */
  readonly name?: string;
}

/** A day of the calendar. */
interface Day {
  readonly year: number;
  /** The first month is 0. */
  readonly month: number;
  readonly day: number;
}

const dayOf = (seconds: number, zone: Zone): Day => {
  const date = new Date(seconds * 1000);
  return zone === 'utc'
    ? { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() }
    : { year: date.getFullYear(), month: date.getMonth(), day: date.getDate() };
};

/** When a day begins. Days before the first or after the last of a month belong to the neighbouring month. */
const startOf = ({ year, month, day }: Day, zone: Zone): number =>
  (zone === 'utc' ? Date.UTC(year, month, day) : new Date(year, month, day).getTime()) / 1000;

/** The first day of the bucket that contains a day. Weeks begin on Monday. */
function firstOf(day: Day, bucket: BucketSize): Day {
  if (bucket === 'day') return day;
  if (bucket === 'month') return { ...day, day: 1 };
  const weekday = new Date(Date.UTC(day.year, day.month, day.day)).getUTCDay();
  return { ...day, day: day.day - ((weekday + 6) % 7) };
}

function addBuckets(first: Day, bucket: BucketSize, count: number): Day {
  if (bucket === 'month') return { ...first, month: first.month + count };
  return { ...first, day: first.day + count * (bucket === 'week' ? 7 : 1) };
}

/** The bucket that contains a moment (epoch seconds), and some buckets before it. */
export function lastBuckets(now: number, zone: Zone, bucket: BucketSize, before: number): Period {
  const start = startOf(addBuckets(firstOf(dayOf(now, zone), bucket), bucket, -before), zone);
  return { start, end: null, bucket };
}

/** The period that pages show unless the reader chooses another one: 28 days with today. */
export const lastFourWeeks = (now: number, zone: Zone): Period => ({
  ...lastBuckets(now, zone, 'day', 27),
  name: 'Last 4 weeks',
});

/** The same days as many buckets before. A period that has not ended counts up to the end of today. */
export function periodBefore({ start, end, bucket }: Period, now: number, zone: Zone): Period & { end: number } {
  const first = dayOf(start, zone);
  let count = 1;
  while (startOf(addBuckets(first, bucket, count), zone) < (end ?? now)) count += 1;
  const after = end === null ? addBuckets(dayOf(now, zone), 'day', 1) : dayOf(end, zone);
  const before = (day: Day) => startOf(addBuckets(day, bucket, -count), zone);
  return { start: before(first), end: Math.min(before(after), start), bucket };
}

/** Ranges of up to `BY_DAYS` days have daily buckets, and ranges of up to `BY_WEEKS` days have weekly buckets. */
const BY_DAYS = 31;
const BY_WEEKS = 190;

/**
 * The whole buckets that contain a range of dates.
 *
 * @param from the first date, such as `2026-11-02`
 * @param to the last date
 * @returns null if a date is invalid, or if the last date is before the first
 */
export function periodOfDates(from: string, to: string, zone: Zone): Period | null {
  const [first, last] = [from, to].map(dateOf);
  if (!first || !last) return null;
  const days = (startOf(last, 'utc') - startOf(first, 'utc')) / DAY + 1;
  if (days < 1) return null;
  const bucket = days <= BY_DAYS ? 'day' : days <= BY_WEEKS ? 'week' : 'month';
  const end = addBuckets(firstOf(last, bucket), bucket, 1);
  return { start: startOf(firstOf(first, bucket), zone), end: startOf(end, zone), bucket };
}

/** The ends of a range of dates in epoch seconds. Both dates belong to the range. Null if a date is invalid. */
export function endsOfDates(from: string, to: string, zone: Zone): { start: number | null; end: number | null } {
  const [first, last] = [from, to].map(dateOf);
  return {
    start: first ? startOf(first, zone) : null,
    end: last ? startOf(addBuckets(last, 'day', 1), zone) - 0.001 : null,
  };
}

/** A quarter of a year, such as `2026-Q4`, with its ends in epoch seconds. @param quarters how many quarters before the quarter of `now` */
export function quarterBefore(now: number, quarters: number, zone: Zone): { name: string; start: number; end: number } {
  const { year, month } = dayOf(now, zone);
  const count = year * 4 + Math.floor(month / 3) - quarters;
  const [of, first] = [Math.floor(count / 4), (count % 4) * 3];
  const begin = (monthOf: number) => startOf({ year: of, month: monthOf, day: 1 }, zone);
  return { name: `${of}-Q${first / 3 + 1}`, start: begin(first), end: begin(first + 3) - 0.001 };
}

function dateOf(text: string): Day | null {
  const [year = NaN, month = NaN, day = NaN] = text.split('-').map(Number);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDate ? { year, month: month - 1, day } : null;
}
