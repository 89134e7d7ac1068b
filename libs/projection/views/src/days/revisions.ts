import type { CollectionShape } from '@assurance/contracts-events';
import { inSlices, mapSteps } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { batches } from '../batches';
import { type Level, numberOf } from './periods';

/** How many rows of a list lie in a period, as last counted, and whether rows changed since. */
export interface PeriodCount {
  readonly list: string;
  readonly level: Level;
  /** The period's number. */
  readonly at: number;
  /** Grows with every change to rows of the period. */
  readonly stamp: number;
  /** The revision that was read before the rows were counted. The count holds while it is the period's own. */
  readonly counted: number;
  readonly count: number;
}

/** Counts of a view's lists: a collection of the view's own. */
export function periodCounts(name: string): CollectionShape<PeriodCount> {
  const fields = [
    ['list', 'asc'],
    ['level', 'asc'],
    ['at', 'desc'],
  ] as const;
  return { name, deferred: 'last', indexes: [{ name: 'by_list', fields }] };
}

/** A list, and the moment (epoch seconds) of a row that came into it or left it. */
export type Touched = readonly [list: string, seconds: number];

/** Days are revised before periods, so a reader of a revised period sees revised days. */
export async function revise(
  documents: Documents,
  periods: CollectionShape<PeriodCount>,
  touched: Iterable<Touched>,
): Promise<void> {
  const all = [...touched];
  for (const level of [0, 1] as const) {
    const ids = new Map<string, Pick<PeriodCount, 'list' | 'level' | 'at'>>();
    const note = mapSteps(all, ([list, seconds]) => {
      const at = numberOf(level, seconds);
      ids.set(`${list}/${level}/${at}`, { list, level, at });
    });
    await inSlices(note);
    for (const some of batches([...ids.keys()])) {
      await documents.collection(periods).merge(some, (current, id) => {
        const fresh = ids.get(id);
        if (current !== null) return { ...current, stamp: current.stamp + 1 };
        return fresh === undefined ? undefined : { ...fresh, stamp: 1, counted: 0, count: 0 };
      });
    }
  }
}
