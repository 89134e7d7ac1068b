import type { Run } from '@assurance/components/read/components/runs';
import type { EnvironmentExposure } from '@assurance/contracts/vulnerabilities/answers/exposure';

/** The snapshots in force at the beginning and at the end of a day; 0 before the first snapshot. */
export interface DayEnds {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the days on which an artifact ran, as bits. The lowest bit is the first day. The bit after the last day says whether the artifact runs now.
 *
 * @param days for each environment, oldest first; each environment has the same number of days
 */
export function daysOf(runs: readonly Run[], days: ReadonlyMap<string, readonly DayEnds[]>): bigint {
  let bits = 0n;
  for (const { environment, from, until, isRunning } of runs) {
    const dayEnds = days.get(environment) ?? [];
    // The snapshots in force never decrease, so the days of a run are consecutive.
    const begin = firstAt(dayEnds, ({ last }) => last >= from);
    const end = until === null ? dayEnds.length : firstAt(dayEnds, ({ first }) => first >= until);
    if (end > begin) bits |= ((1n << BigInt(end - begin)) - 1n) << BigInt(begin);
    if (isRunning) bits |= 1n << BigInt(dayEnds.length);
  }
  return bits;
}

/** Returns the index of the first item for which `holds` is true, by binary search, or the length if there is none. */
function firstAt<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const item = items[middle];
    if (item === undefined || holds(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

type Counts = EnvironmentExposure['now'];
/** The kinds of items that are counted on a day. */
type CountedKind = keyof Counts;

/** Counts items on each day. */
export class DayCounts {
  private readonly counts: Readonly<Record<CountedKind, number[]>>;

  /** @param length the number of days plus one, for now */
  constructor(private readonly length: number) {
    const zeros = () => Array.from({ length }, () => 0);
    this.counts = {
      critical: zeros(),
      high: zeros(),
      medium: zeros(),
      low: zeros(),
      none: zeros(),
      unknown: zeros(),
      without_sbom: zeros(),
      incomplete_sbom: zeros(),
      unmatched_components: zeros(),
    };
  }

  /** Counts an item on its days. @param days as `daysOf` returns them */
  add(counted: CountedKind, days: bigint, count = 1): void {
    const counts = this.counts[counted];
    const bits = days.toString(2);
    for (let day = 0; day < Math.min(this.length, bits.length); day += 1) {
      if (bits[bits.length - 1 - day] === '1') counts[day] = (counts[day] ?? 0) + count;
    }
  }

  on(day: number): Counts {
    const of = (counted: CountedKind) => this.counts[counted][day] ?? 0;
    return {
      critical: of('critical'),
      high: of('high'),
      medium: of('medium'),
      low: of('low'),
      none: of('none'),
      unknown: of('unknown'),
      without_sbom: of('without_sbom'),
      incomplete_sbom: of('incomplete_sbom'),
      unmatched_components: of('unmatched_components'),
    };
  }
}
