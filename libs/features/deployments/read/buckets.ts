import type { DeploymentMetrics } from '@assurance/contracts/deployments/answers/metrics';
import type { FieldErrors } from '@assurance/contracts/http/params';
import type { Window } from '@assurance/contracts/http/routes/window';
import { input } from '@assurance/kernel';
import type { Bucket } from './figures/read';

const DAY_MS = 86_400_000;
/** How many days a window has at most. */
const DAYS_MAX = 366;

type Size = DeploymentMetrics['bucket'];

/** A day of the calendar, as the milliseconds at which it begins in UTC. */
type Day = number;

/** A bucket, and its first day in the time zone. */
export interface DatedBucket extends Bucket {
  /** Such as `2026-11-02`. */
  readonly date: string;
}

/** Tells the clock and the calendar of a time zone. */
class Zone {
  private readonly format: Intl.DateTimeFormat;

  /** @throws RangeError for a name that is none */
  constructor(timeZone: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    } as const);
  }

  /** The local time as if it were UTC, in milliseconds. */
  shown(at: number): number {
    const parts = new Map(this.format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  }

  dayOf(at: number): Day {
    return Math.floor(this.shown(at) / DAY_MS) * DAY_MS;
  }

  /** When a day begins: at midnight, or later where clocks leave midnight out. Milliseconds. */
  startOf(day: Day): number {
    const offsets = [-DAY_MS, DAY_MS].map((near) => this.shown(day + near) - (day + near));
    const starts = offsets.map((offset) => day - offset).sort((a, b) => a - b);
    return starts.find((start) => this.dayOf(start) === day) ?? Math.max(...starts);
  }
}

/** Whether a name is that of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Zone(name) instanceof Zone;
  } catch {
    return false;
  }
}

/** Why a window has no buckets, by field; null where it has. */
export function bucketsProblem({ start, end }: Window, timeZone: string): FieldErrors | null {
  if (!isTimeZone(timeZone)) return { time_zone: `Input should be the name of a time zone ${input(timeZone)}` };
  const days = (end - start) / 86_400;
  if (days <= DAYS_MAX) return null;
  const size = `has ${Math.ceil(days)} days, more than the limit of ${DAYS_MAX}`;
  return { start_ts: `The window ${size}. Ask for parts of it one after the other` };
}

/**
 * The days, weeks or months of a time zone that a window touches.
 *
 * @param window epoch seconds, both ends included
 * @param timeZone as `isTimeZone` takes it
 */
export function bucketsOf({ start, end }: Window, size: Size, timeZone: string): DatedBucket[] {
  const zone = new Zone(timeZone);
  const last = zone.dayOf(end * 1_000);
  const buckets: DatedBucket[] = [];
  for (let day = firstOf(zone.dayOf(start * 1_000), size); day <= last; day = nextOf(day, size)) {
    const [from, to] = [zone.startOf(day) / 1_000, zone.startOf(nextOf(day, size)) / 1_000];
    // A day that a time zone left out when it moved over the date line.
    if (from < to) buckets.push({ from, to, date: new Date(day).toISOString().slice(0, 'yyyy-mm-dd'.length) });
  }
  return buckets;
}

/** The first day of the bucket of a day. Weeks begin on Monday; the epoch was a Thursday. */
function firstOf(day: Day, size: Size): Day {
  switch (size) {
    case 'day':
      return day;
    case 'week':
      return day - ((((day / DAY_MS + 3) % 7) + 7) % 7) * DAY_MS;
    case 'month':
      return monthOf(day, 0);
  }
}

/** The first day of the bucket after that which begins with a day. */
function nextOf(first: Day, size: Size): Day {
  switch (size) {
    case 'day':
      return first + DAY_MS;
    case 'week':
      return first + 7 * DAY_MS;
    case 'month':
      return monthOf(first, 1);
  }
}

/** The first day of the month that is so many months after that of a day. */
function monthOf(day: Day, later: number): Day {
  const date = new Date(day);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}
