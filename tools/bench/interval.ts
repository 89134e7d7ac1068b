import { spread } from './measure.ts';

/** A median, and the interval in which it lies. */
export interface Interval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export type Verdict = 'met' | 'missed' | 'open';

/** What is allowed: 5 % fewer requests a second, 5 % more of anything else. */
const ALLOWED = 0.05;
const CONFIDENCE = 0.95;

/** Missed means that the whole interval is beyond what is allowed; open, that only its median is. */
export function judge({ median, low, high }: Interval, moreIsBetter: boolean): Verdict {
  const isBeyond = (ratio: number) => (moreIsBetter ? ratio < 1 - ALLOWED : ratio > 1 + ALLOWED);
  if (!isBeyond(median)) return 'met';
  return isBeyond(low) && isBeyond(high) ? 'missed' : 'open';
}

/**
 * The median, and the interval that contains it in 95 of 100 series. Its ends are values of the series, so no distribution is assumed. Fewer than
 * six values say less: then the ends are the extremes.
 */
export function interval(values: readonly number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  let [skipped, outside, ways] = [0, 0, 1];
  // `outside` is the chance that at most `skipped` values lie on one side of the median, for both sides together.
  for (;;) {
    outside += (2 * ways) / 2 ** count;
    if (outside > 1 - CONFIDENCE || 2 * (skipped + 1) >= count) break;
    ways = (ways * (count - skipped)) / (skipped + 1);
    skipped += 1;
  }
  const from = Math.max(0, skipped - 1);
  return { median: spread(sorted).median, low: sorted[from] ?? NaN, high: sorted[count - 1 - from] ?? NaN };
}
