import { type CollectionShape, orderBy } from '@assurance/contracts/events/aggregate';
import { mapInSlices, Slices } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { batches } from '../batches';
import { numberOf, periodOf, quarterOf, QUARTERS } from './periods';

/** How many rows of a list a period had when it was last counted, and whether rows changed since. */
export interface PeriodCount {
  readonly list: string;
  readonly level: 0 | 1;
  /** The period's number. */
  readonly at: number;
  /** Grows with every change to rows of the period. */
  readonly stamp: number;
  /** The revision that was read before the rows were counted. The count is valid while the period still has this revision. */
  readonly counted: number;
  readonly count: number;
  /**
   * Only for days, and only if the view counts quarters: the revision at which each quarter of an hour changed last, by its number from 0. It is 0
   * or missing for quarters that never changed. An array is read faster than an object, which earlier releases stored.
   */
  readonly parts?: Readonly<Record<number, number>>;
}

/** How many rows of a list each quarter of an hour of a day has. The document has the same id as the day's count. */
export interface QuarterCounts {
  /** The revision of the day that was read before counting. The counts are valid while the day still has this revision. */
  readonly stamp: number;
  readonly counts: readonly number[];
}

/** Where a view stores its counts. */
export interface CountCollections {
  readonly periods: CollectionShape<PeriodCount>;
  /** Set if days with many rows are counted by quarters of an hour. */
  readonly quarters?: {
    readonly counts: CollectionShape<QuarterCounts>;
    /** The quarters of a day are counted if a list has at least this number of rows in it. */
    readonly many: number;
  };
}

/** Defines the collection of a view for the counts of its lists. */
export function periodCounts(name: string): CollectionShape<PeriodCount> {
  const fields = orderBy('list', 'level', '-at');
  return { name, deferred: 'last', mergedOften: true, indexes: [{ name: 'by_list', fields }] };
}

/** A list, and the moments (epoch seconds) of rows that were added to it or removed from it. */
export type ListChange = readonly [list: string, ...moments: number[]];

/** Marks the periods of changed rows as changed. Days are revised before longer periods, so a reader of a revised period sees revised days. */
export async function revise(
  documents: Documents,
  { periods, quarters }: CountCollections,
  changes: Iterable<ListChange>,
): Promise<void> {
  const lists = await daysOf(changes);
  for (const level of [0, 1] as const) {
    const ids = new Map<string, Pick<PeriodCount, 'list' | 'level' | 'at'> & { readonly parts: ReadonlySet<number> }>();
    for (const [list, days] of lists) {
      for (const [day, touchedIn] of days) {
        const at = numberOf(level, periodOf(0, day).from);
        const parts = level === 0 && quarters !== undefined ? touchedIn : NONE;
        ids.set(`${list}/${level}/${at}`, { list, level, at, parts });
      }
    }
    for (const batch of batches([...ids.keys()])) {
      await documents.collection(periods).merge(batch, (current, id) => {
        const row = ids.get(id);
        if (row === undefined) return undefined;
        const { parts, ...fresh } = row;
        const stamp = (current?.stamp ?? 0) + 1;
        const newStamps = () => QUARTERS.map((part) => (parts.has(part) ? stamp : (current?.parts?.[part] ?? 0)));
        return {
          ...(current ?? { ...fresh, counted: 0, count: 0 }),
          stamp,
          ...(parts.size === 0 ? {} : { parts: newStamps() }),
        };
      });
    }
  }
}

/** The quarters of each day that contain moments, by list. It builds no text for each moment, because rebuilds touch four lists with every row. */
async function daysOf(changes: Iterable<ListChange>): Promise<Map<string, Map<number, Set<number>>>> {
  const lists = new Map<string, Map<number, Set<number>>>();
  const slices = new Slices();
  for (const [list, ...moments] of changes) {
    const days = lists.get(list) ?? new Map<number, Set<number>>();
    lists.set(list, days);
    const note = (seconds: number) => {
      const day = numberOf(0, seconds);
      const parts = days.get(day);
      if (parts === undefined) days.set(day, new Set([quarterOf(seconds)]));
      else parts.add(quarterOf(seconds));
    };
    await mapInSlices(moments, note, slices);
  }
  return lists;
}

const NONE: ReadonlySet<number> = new Set();

/** The quarters of a day that changed since a revision of the day; null if that is unknown. */
export function changedQuarters({ parts = {} }: PeriodCount, since: number): readonly number[] | null {
  const changedParts = QUARTERS.filter((part) => (parts[part] ?? 0) > since);
  return changedParts.length === 0 ? null : changedParts;
}

/** Stores a value that was computed for a revision of a day, unless a value for the same or a newer revision is stored. */
export async function remember<T extends { readonly stamp: number }>(
  documents: Documents,
  collection: CollectionShape<T>,
  id: string,
  created: T,
): Promise<void> {
  await documents
    .collection(collection)
    .merge([id], (current) => ((current?.stamp ?? -1) >= created.stamp ? undefined : created));
}
