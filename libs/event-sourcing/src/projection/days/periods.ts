const DAY_SECONDS = 86_400;

/** A quarter of an hour (seconds). Offsets of time zones are multiples of it. */
export const QUARTER = 900;
/** The numbers of the quarters of a day. */
export const QUARTERS: readonly number[] = Array.from({ length: DAY_SECONDS / QUARTER }, (_, number) => number);

/**
 * Seconds in a period of each level: quarters of an hour, for days with many rows; days (UTC); and periods of 32 days, so that a search through
 * years takes few steps.
 */
const WIDTHS = { [-1]: QUARTER, 0: DAY_SECONDS, 1: 32 * DAY_SECONDS } as const;
export type Level = -1 | 0 | 1;

/** A period of time in epoch seconds. It includes `from` and excludes `to`. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Part of a window. It consists of whole periods of `level`. If that is null, it may be any time. */
export interface WindowPart extends Period {
  readonly level: Level | null;
}

/** All time, as whole periods. */
export const ALL_TIME: WindowPart = { level: 1, from: 0, to: 1_000_000 * WIDTHS[1] };

/** A period and its number of rows. */
export interface CountedPeriod extends WindowPart {
  readonly count: number;
}

/** The number of the period of a level that contains a moment. Period 0 begins at the epoch. */
export function numberOf(level: Level, seconds: number): number {
  return Math.floor(seconds / WIDTHS[level]);
}

/** The number of the quarter of an hour that contains a moment, from 0 at the start of the day. */
export function quarterOf(seconds: number): number {
  return numberOf(-1, seconds) % QUARTERS.length;
}

export function periodOf(level: Level, number: number): WindowPart {
  return { level, from: number * WIDTHS[level], to: (number + 1) * WIDTHS[level] };
}

/**
 * Cuts a window into as few pieces as possible, newest first. It uses whole periods of 32 days, whole days beside them, and a part of a day at
 * each end.
 *
 * @param window both ends are included; there is no row before the epoch
 */
export function splitWindow({ start, end }: { readonly start: number; readonly end: number }): WindowPart[] {
  return end < 0 ? [] : pieces(Math.max(0, start), nextNumber(end), [1, 0]);
}

/** Cuts a period into whole quarters of an hour and a part of a quarter at each end, newest first. */
export function cutQuarters({ from, to }: Period): WindowPart[] {
  return pieces(from, to, [-1]);
}

function pieces(from: number, to: number, [level, ...below]: readonly Level[]): WindowPart[] {
  if (from >= to) return [];
  if (level === undefined) return [{ level: null, from, to }];
  const first = Math.ceil(from / WIDTHS[level]) * WIDTHS[level];
  const last = numberOf(level, to) * WIDTHS[level];
  if (first >= last) return pieces(from, to, below);
  return [...pieces(last, to, below), { level, from: first, to: last }, ...pieces(from, first, below)];
}

/**
 * The period that contains a row, and how many rows of the period precede the row; null if there is no such row.
 *
 * @param periods newest first
 * @param place how many rows of all periods precede the row, 0 for the newest row
 */
export function periodAt(
  periods: readonly CountedPeriod[],
  place: number,
): { readonly period: CountedPeriod; readonly place: number } | null {
  let remainingPlaces = place;
  for (const period of periods) {
    if (remainingPlaces < period.count) return { period, place: remainingPlaces };
    remainingPlaces -= period.count;
  }
  return null;
}

/** The bounds of a period for a query. Both are included. */
export function boundsOf({ from, to }: Period): { readonly gte: number; readonly lte: number } {
  return { gte: from, lte: previousNumber(to) };
}

const number = new Float64Array(1);
const bits = new BigInt64Array(number.buffer);

/** The largest number below a positive number. */
function previousNumber(moment: number): number {
  number[0] = moment;
  bits[0] = (bits[0] ?? 0n) - 1n;
  return number[0];
}

/** The smallest number above a number that is not negative. */
function nextNumber(moment: number): number {
  number[0] = Math.abs(moment);
  bits[0] = (bits[0] ?? 0n) + 1n;
  return number[0];
}
