import { type CollectionShape, orderBy } from '@assurance/contracts-events';
import { inSlices, mapSteps } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { batches } from '../batches';
import { type Level, numberOf, periodOf } from './periods';

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
  /** Of a day: the revision of each part of it, by number, in which rows changed. Only where a view asks for parts. */
  readonly parts?: Readonly<Record<number, number>>;
}

/** Counts of a view's lists: a collection of the view's own. */
export function periodCounts(name: string): CollectionShape<PeriodCount> {
  const fields = orderBy('list', 'level', '-at');
  return { name, deferred: 'last', mergedOften: true, indexes: [{ name: 'by_list', fields }] };
}

/** A list, and the moment (epoch seconds) of a row that came into it or left it. */
export type Touched = readonly [list: string, seconds: number];

/**
 * Days are revised before periods, so a reader of a revised period sees revised days.
 *
 * @param partSeconds how long the parts of a day are that have revisions; none unless given
 */
export async function revise(
  documents: Documents,
  periods: CollectionShape<PeriodCount>,
  touched: Iterable<Touched>,
  partSeconds?: number,
): Promise<void> {
  const all = [...touched];
  for (const level of [0, 1] as const) {
    const ids = new Map<string, Pick<PeriodCount, 'list' | 'level' | 'at'> & { readonly parts: Set<number> }>();
    const note = mapSteps(all, ([list, seconds]) => {
      const at = numberOf(level, seconds);
      const id = `${list}/${level}/${at}`;
      const one = ids.get(id) ?? { list, level, at, parts: new Set() };
      if (level === 0 && partSeconds !== undefined) one.parts.add(partOf(seconds, partSeconds));
      ids.set(id, one);
    });
    await inSlices(note);
    for (const some of batches([...ids.keys()])) {
      await documents.collection(periods).merge(some, (current, id) => {
        const one = ids.get(id);
        if (one === undefined) return undefined;
        const { parts, ...fresh } = one;
        const stamp = (current?.stamp ?? 0) + 1;
        const revised = Object.fromEntries([...parts].map((part) => [part, stamp]));
        return {
          ...(current ?? { ...fresh, counted: 0, count: 0 }),
          stamp,
          ...(parts.size === 0 ? {} : { parts: { ...current?.parts, ...revised } }),
        };
      });
    }
  }
}

/** The number of the part of its day in which a moment lies. */
export function partOf(seconds: number, partSeconds: number): number {
  return Math.floor((seconds - periodOf(0, numberOf(0, seconds)).from) / partSeconds);
}
