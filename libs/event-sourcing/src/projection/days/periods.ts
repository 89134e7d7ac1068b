const DAY_SECONDS = 86_400;

/** Seconds: offsets of time zones are made of quarters of an hour. */
export const QUARTER = 900;
/** The numbers of a day's quarters. */
export const QUARTERS: readonly number[] = Array.from({ length: DAY_SECONDS / QUARTER }, (_, number) => number);

/**
 * Seconds in a period of each level: quarters of an hour, for days with many rows; days (UTC); and periods of 32 days, so that years are walked in
 * few steps.
 */
const WIDTHS = { [-1]: QUARTER, 0: DAY_SECONDS, 1: 32 * DAY_SECONDS } as const;
export type Level = -1 | 0 | 1;

/** A period of time in epoch seconds, without its end. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Part of a window: whole periods of a level, or (null) time that is not made of whole periods. */
export interface WindowPart extends Period {
  readonly level: Level | null;
}

/** All time, as whole periods. */
export const ALL_TIME: WindowPart = { level: 1, from: 0, to: 1_000_000 * WIDTHS[1] };

/** A period with how many rows lie in it. */
export interface CountedPeriod extends WindowPart {
  readonly count: number;
}

/** The period of a level in which a moment lies, by number: 0 begins at the epoch. */
export function numberOf(level: Level, seconds: number): number {
  return Math.floor(seconds / WIDTHS[level]);
}

/** The number of the quarter of an hour of its day in which a moment lies, from 0. */
export function quarterOf(seconds: number): number {
  return numberOf(-1, seconds) % QUARTERS.length;
}

export function periodOf(level: Level, number: number): WindowPart {
  return { level, from: number * WIDTHS[level], to: (number + 1) * WIDTHS[level] };
}

/**
 * Cuts a window into the fewest pieces, newest first: whole periods, then whole days, then a part of a day at each end.
 *
 * @param window both ends included; nothing lies before the epoch
 */
export function splitWindow({ start, end }: { readonly start: number; readonly end: number }): WindowPart[] {
  return end < 0 ? [] : pieces(Math.max(0, start), nextNumber(end), [1, 0]);
}

/** Cuts some time into whole quarters of an hour, and less than one at each end, newest first. */
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
 * The period in which a row lies, and how many rows of the period stand before it; null past the last row.
 *
 * @param periods newest first
 * @param place how many rows stand before the row in all, 0 for the newest
 */
export function periodAt(
  periods: readonly CountedPeriod[],
  place: number,
): { readonly period: CountedPeriod; readonly place: number } | null {
  let remaining = place;
  for (const period of periods) {
    if (remaining < period.count) return { period, place: remaining };
    remaining -= period.count;
  }
  return null;
}

/** The bounds of a period as a query has them, both included. */
export function boundsOf({ from, to }: Period): { readonly gte: number; readonly lte: number } {
  return { gte: from, lte: previousNumber(to) };
}

const number = new Float64Array(1);
const bits = new BigInt64Array(number.buffer);

/** The next smaller number of a positive one. */
function previousNumber(moment: number): number {
  number[0] = moment;
  bits[0] = (bits[0] ?? 0n) - 1n;
  return number[0];
}

/** The next larger number of one that is not negative. */
function nextNumber(moment: number): number {
  number[0] = Math.abs(moment);
  bits[0] = (bits[0] ?? 0n) + 1n;
  return number[0];
}
