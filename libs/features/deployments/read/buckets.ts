import type { DeploymentMetrics } from '@assurance/contracts/deployments/answers/metrics';
import type { Window } from '@assurance/contracts/http/routes/window';
import { RefusalError } from '@assurance/http';
import { input } from '@assurance/kernel';
import type { Bucket } from './figures/read';

const DAY_MS = 86_400_000;
/** The most days of a window. */
const DAYS_MAX = 366;

type Size = DeploymentMetrics['bucket'];

/** A calendar day, as the milliseconds of its beginning in UTC. */
type Day = number;

/** A bucket, and its first day in the time zone. */
export interface DatedBucket extends Bucket {
  /** For example `2026-11-02`. */
  readonly date: string;
}

/** The clock and the calendar of a time zone. */
class Zone {
  private readonly format: Intl.DateTimeFormat;

  /** @throws RangeError if the name is not a time zone */
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

  /** Returns the local time as if it were UTC, in milliseconds. */
  localTime(at: number): number {
    const parts = new Map(this.format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  }

  dayOf(at: number): Day {
    return Math.floor(this.localTime(at) / DAY_MS) * DAY_MS;
  }

  /** Returns when a day begins (milliseconds): at midnight, or later if clocks skip midnight. */
  startOf(day: Day): number {
    const offsets = [-DAY_MS, DAY_MS].map((near) => this.localTime(day + near) - (day + near));
    const starts = offsets.map((offset) => day - offset).sort((a, b) => a - b);
    return starts.find((start) => this.dayOf(start) === day) ?? Math.max(...starts);
  }
}

/** Whether a name is the name of a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return new Zone(name) instanceof Zone;
  } catch {
    return false;
  }
}

/**
 * Returns the buckets of a window that a request asks for.
 *
 * @throws RefusalError if it names no time zone, or is too long
 */
export function requestedBuckets(window: Window, size: Size, timeZone: string): DatedBucket[] {
  if (!isTimeZone(timeZone)) {
    const errors = { time_zone: `Input should be the name of a time zone ${input(timeZone)}` };
    throw new RefusalError({ kind: 'invalid', errors });
  }
  const days = (window.end - window.start) / 86_400;
  if (days > DAYS_MAX) {
    const length = `has ${Math.ceil(days)} days, more than the limit of ${DAYS_MAX}`;
    const errors = { start_ts: `The window ${length}. Ask for parts of it one after the other` };
    throw new RefusalError({ kind: 'invalid', errors });
  }
  return bucketsOf(window, size, timeZone);
}

/**
 * Returns the days, weeks or months of a time zone that overlap a window.
 *
 * @param window epoch seconds, both ends included
 * @param timeZone a name that `isTimeZone` accepts
 */
export function bucketsOf({ start, end }: Window, size: Size, timeZone: string): DatedBucket[] {
  const zone = new Zone(timeZone);
  const last = zone.dayOf(end * 1_000);
  const buckets: DatedBucket[] = [];
  for (let day = firstOf(zone.dayOf(start * 1_000), size); day <= last; day = nextOf(day, size)) {
    const [from, to] = [zone.startOf(day) / 1_000, zone.startOf(nextOf(day, size)) / 1_000];
    // Leave out a day that the time zone skipped when it crossed the date line.
    if (from < to) buckets.push({ from, to, date: new Date(day).toISOString().slice(0, 'yyyy-mm-dd'.length) });
  }
  return buckets;
}

/** Returns the first day of the bucket of a day. Weeks begin on Monday. The epoch was a Thursday. */
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

/** Returns the first day of the next bucket. */
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

/** Returns the first day of a month, counted from the month of a day. */
function monthOf(day: Day, later: number): Day {
  const date = new Date(day);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1);
}
