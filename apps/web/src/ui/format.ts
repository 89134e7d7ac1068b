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

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const count = new Intl.NumberFormat('en');

/** 2000-01-01 in epoch seconds: 0, 1970 and 1980 are what tools write for a time that they do not know. */
const FIRST_KNOWN = 946_684_800;

/** Whether a time in epoch seconds is one, and not the mark of an unknown one. */
export const isKnownTime = (time: number | null | undefined): time is number => time != null && time >= FIRST_KNOWN;

/** How far a time is from `now`, both in epoch seconds: `3 hours ago`. */
export function formatRelative(time: number, now: number): string {
  const seconds = time - now;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  if (unit === 'second') return Math.abs(seconds) < 10 ? 'just now' : relative.format(Math.round(seconds), 'second');
  return relative.format(Math.trunc(seconds / size), unit);
}

/** Epoch seconds in the reader's time zone, to the second. */
export const formatAbsolute = (time: number): string => absolute.format(time * 1000);
export const formatDay = (time: number): string => day.format(time * 1000);
export const formatCount = (value: number): string => count.format(value);

/** Seconds as the two greatest units that say something: `1 d 4 h`, `12 min`, `40 s`; a minus before negative ones. */
export function formatDuration(seconds: number): string {
  const sign = seconds < 0 ? '−' : '';
  const whole = Math.abs(Math.round(seconds));
  const parts = [
    [Math.floor(whole / DAY), 'd'],
    [Math.floor((whole % DAY) / HOUR), 'h'],
    [Math.floor((whole % HOUR) / MINUTE), 'min'],
    [whole % MINUTE, 's'],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  if (first === -1) return '< 1 s';
  const said = parts.slice(first, first + 2).filter(([value]) => value > 0);
  return sign + said.map(([value, unit]) => `${value} ${unit}`).join(' ');
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** A fingerprint or commit as lists show it. */
export const shortHash = (hash: string, length = 7): string => hash.slice(0, length);

/** `NON-COMPLIANT` and `policy_created` as words. */
export const wordsOf = (name: string): string => {
  const text = name.toLowerCase().replaceAll(/[_]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
