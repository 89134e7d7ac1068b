const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const UNITS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const;

const relative = new Intl.RelativeTimeFormat('en');
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const count = new Intl.NumberFormat('en');
const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** 2000-01-01 in epoch seconds. Tools write 0, 1970 or 1980 for an unknown time. */
const EARLIEST_TIME = 946_684_800;

/** Whether a time in epoch seconds is known. Some values mark an unknown time. */
export const isKnownTime = (time: number | null | undefined): time is number => time != null && time >= EARLIEST_TIME;

/** How far clocks of readers and of the service may differ (seconds). */
const CLOCKS_DIFFER = 2 * MINUTE;

/** Whether a time at which something was recorded is still to come: a clock of the service was ahead. Both are in epoch seconds. */
export const isAhead = (time: number, now: number): boolean => time > now + CLOCKS_DIFFER;

/**
 * The distance of a time from `now` in words, such as `3 hours ago`, in whole units. It is a length, not a date: 47 hours are `1 day ago`, which can be
 * the day before yesterday. Both are in epoch seconds.
 */
export function formatRelative(time: number, now: number): string {
  const seconds = time - now;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  if (unit === 'second') return Math.abs(seconds) < 10 ? 'just now' : relative.format(Math.round(seconds), 'second');
  return relative.format(Math.trunc(seconds / size), unit);
}

/** The zone in which times are shown: the reader's own, or UTC. */
export type Zone = 'local' | 'utc';

/** @param more parts of the time in addition to day, month, hour and minute */
const absolute = (zone: Zone, more: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
    ...more,
  });
const EXACT = { year: 'numeric', second: '2-digit', timeZoneName: 'short' } as const;
const inZones = (more: Intl.DateTimeFormatOptions) => ({ local: absolute('local', more), utc: absolute('utc', more) });
const formats = { near: inZones({}), far: inZones({ year: 'numeric' }), exact: inZones(EXACT) };

/**
 * A time in epoch seconds to the minute, such as `26 Nov, 18:59`. The year is shown if it differs from the year of `now`, and `UTC` is shown if that
 * is the zone.
 */
export function formatMoment(time: number, now: number, zone: Zone): string {
  const yearOf = (seconds: number) => new Date(seconds * 1000).getFullYear();
  const text = formats[yearOf(time) === yearOf(now) ? 'near' : 'far'][zone].format(time * 1000);
  return zone === 'utc' ? `${text} UTC` : text;
}

/** A time in epoch seconds to the second, with the zone. */
export const formatExact = (time: number, zone: Zone): string => formats.exact[zone].format(time * 1000);
export const formatDay = (time: number): string => day.format(time * 1000);
export const formatCount = (value: number): string => count.format(value);
/** A share of 1 as a percentage. */
export const formatShare = (part: number): string => share.format(part);

/** Seconds as the largest unit and the next one, unless that is zero: `1 d 4 h`, `12 min`, `40 s`. Negative values begin with a minus. */
export function formatDuration(seconds: number): string {
  const sign = seconds < 0 ? '−' : '';
  const totalSeconds = Math.abs(Math.round(seconds));
  const parts = [
    [Math.floor(totalSeconds / DAY), 'd'],
    [Math.floor((totalSeconds % DAY) / HOUR), 'h'],
    [Math.floor((totalSeconds % HOUR) / MINUTE), 'min'],
    [totalSeconds % MINUTE, 's'],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  if (first === -1) return '< 1 s';
  const shownParts = parts.slice(first, first + 2).filter(([value]) => value > 0);
  return sign + shownParts.map(([value, unit]) => `${value} ${unit}`).join(' ');
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** The short form of a fingerprint or commit in lists. */
export const shortHash = (hash: string, length = 7): string => hash.slice(0, length);

/** `NON-COMPLIANT` and `policy_created` as words. */
export const wordsOf = (name: string): string => {
  const text = name.toLowerCase().replaceAll(/[_]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The name of an attestation type, without the mark that templates give to custom ones. */
export const nameOfType = (type: string): string => type.replace(/^custom:/, '');

/** `started-non-compliant` and `updated-provenance` as words. */
export const wordsOfChange = (type: string): string =>
  wordsOf(type.replaceAll('-', ' ')).replace('non compliant', 'non-compliant');
