/** The largest relative error of a quantile. */
export const SKETCH_ERROR = 0.01;

const GAMMA = (1 + SKETCH_ERROR) / (1 - SKETCH_ERROR);
const LOG_GAMMA = Math.log(GAMMA);

/**
 * The distribution of numbers, by DDSketch (Masson, Rim, Lee: VLDB 2019). It counts the numbers in each range; the ends of a range differ by the
 * factor `GAMMA`. Sketches of parts add up to the sketch of all, in any order. Numbers nearer to 0 than 1 count as 0.
 */
export interface Sketch {
  readonly count: number;
  readonly sum: number;
  /** How many numbers are 0. */
  readonly zero?: number;
  /** Counts of positive numbers by range, and of negative numbers by the range of their absolute value. */
  readonly above?: Bins;
  readonly below?: Bins;
}

type Bins = Readonly<Record<number, number>>;

export const NO_SKETCH: Sketch = { count: 0, sum: 0 };

export function sketchOf(values: readonly number[]): Sketch {
  let [sum, zero] = [0, 0];
  const [above, below]: [Record<number, number>, Record<number, number>] = [{}, {}];
  for (const value of values) {
    sum += value;
    if (Math.abs(value) < 1) zero += 1;
    else {
      const bins = value > 0 ? above : below;
      const range = Math.ceil(Math.log(Math.abs(value)) / LOG_GAMMA);
      bins[range] = (bins[range] ?? 0) + 1;
    }
  }
  return withoutNone(values.length, sum, zero, above, below);
}

/** Returns the sketch of all numbers of several sketches. */
export function sketchSum(all: readonly Sketch[]): Sketch {
  let [count, sum, zero] = [0, 0, 0];
  const [above, below]: [Record<number, number>, Record<number, number>] = [{}, {}];
  for (const sketch of all) {
    count += sketch.count;
    sum += sketch.sum;
    zero += sketch.zero ?? 0;
    addTo(above, sketch.above);
    addTo(below, sketch.below);
  }
  return withoutNone(count, sum, zero, above, below);
}

function withoutNone(count: number, sum: number, zero: number, above: Bins, below: Bins): Sketch {
  return {
    count,
    sum,
    ...(zero === 0 ? {} : { zero }),
    ...(Object.keys(above).length === 0 ? {} : { above }),
    ...(Object.keys(below).length === 0 ? {} : { below }),
  };
}

function addTo(bins: Record<number, number>, more: Bins = {}): void {
  for (const [range, count] of Object.entries(more)) bins[Number(range)] = (bins[Number(range)] ?? 0) + count;
}

/**
 * Returns a quantile: the number below which the given part of all numbers lies, or null if there are no numbers.
 *
 * @param part 0 to 1: 0.5 for the median
 */
export function quantile(sketch: Sketch, part: number): number | null {
  if (sketch.count === 0) return null;
  let remainingCount = part * (sketch.count - 1);
  for (const [value, count] of sortedRanges(sketch)) {
    remainingCount -= count;
    if (remainingCount < 0) return value;
  }
  return null;
}

export function mean({ count, sum }: Sketch): number | null {
  return count === 0 ? null : sum / count;
}

/** Returns a number in the middle of each range, and how many numbers the range has. */
function sortedRanges({ zero = 0, above = {}, below = {} }: Sketch): (readonly [value: number, count: number])[] {
  // Integer keys of an object are in ascending order.
  const negative = Object.entries(below).reverse();
  return [
    ...negative.map(([range, count]) => [-valueOf(Number(range)), count] as const),
    ...(zero > 0 ? [[0, zero] as const] : []),
    ...Object.entries(above).map(([range, count]) => [valueOf(Number(range)), count] as const),
  ];
}

function valueOf(range: number): number {
  return (2 * GAMMA ** range) / (GAMMA + 1);
}
