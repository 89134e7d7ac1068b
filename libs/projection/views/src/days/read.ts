import type { CollectionShape } from '@assurance/contracts-events';
import { type Documents, type Found, foundPages, type Query } from '@assurance/storage-ports';
import { batches } from '../batches';
import type { PageRequest } from '../listing';
import { type CountedPeriod, cut, EVER, numberOf, type Piece, periodAt, periodOf, within } from './periods';
import type { PeriodCount } from './revisions';

const BATCH = 1_000;
/** How many lists are asked for in one query. */
const LISTS = 100;

/** Rows whose lists are counted by days: newest first by a moment that is never negative. */
export interface CountedRows<T extends object> {
  readonly rows: CollectionShape<T>;
  readonly periods: CollectionShape<PeriodCount>;
  /** Path of the moment, epoch seconds. */
  readonly moment: string;
  /** Begins with the moment, descending. */
  readonly order: NonNullable<Query['order']>;
}

/** A list that handlers revise, and what selects its rows. */
export interface CountedList {
  readonly key: string;
  readonly where: Query['where'];
}

/** The lists to read. They share no row, and one condition applies to all of their rows. */
export interface Selection {
  readonly lists: readonly CountedList[];
  readonly where: Query['where'];
  /** Epoch seconds, both ends included; null: unbounded. */
  readonly window: { readonly start: number; readonly end: number } | null;
}

/**
 * One page, newest first, and how many rows there are in all: rows are counted only in days that changed since they were last counted,
 * and in the two days that the window cuts; the page is found by walking the counts.
 */
export async function countedPage<T extends object>(
  documents: Documents,
  counted: CountedRows<T>,
  { lists, where, window }: Selection,
  { page, perPage }: PageRequest,
): Promise<{ readonly found: readonly Found<T>[]; readonly count: number }> {
  const counts = new Counts(documents, counted, where);
  const periods: CountedPeriod[] = [];
  for (const piece of window === null ? [EVER] : cut(window)) periods.push(...(await counts.of(lists, piece)));
  const count = sumOf(periods);
  const skip = (page - 1) * perPage;
  if (perPage === 0 || skip >= count) return { found: [], count };
  const first = await counts.dayOf(lists, periods, skip);
  const last = await counts.dayOf(lists, periods, Math.min(skip + perPage, count) - 1);
  // A day that lost rows since it was counted.
  if (first === null || last === null) return { found: [], count };
  const found = await documents.collection(counted.rows).find({
    where: { ...where, [counted.moment]: within({ from: last.period.from, to: first.period.to }) },
    order: counted.order,
    skip: first.place,
    limit: perPage,
  });
  return { found, count };
}

class Counts<T extends object> {
  constructor(
    private readonly documents: Documents,
    private readonly counted: CountedRows<T>,
    /** Selects the rows of all lists. */
    private readonly where: Query['where'],
  ) {}

  /** The periods of a piece that hold rows of any of the lists, newest first. */
  async of(lists: readonly CountedList[], piece: Piece): Promise<CountedPeriod[]> {
    const { level } = piece;
    if (level === null) return [{ ...piece, count: await this.rowsIn(this.where, piece) }];
    const byKey = new Map(lists.map((list) => [list.key, list]));
    const sums = new Map<number, number>();
    const fresh = new Map<string, { readonly stamp: number; readonly count: number }>();
    for (const [id, doc] of await this.remembered([...byKey.keys()], piece)) {
      const list = byKey.get(doc.list);
      if (list === undefined) continue;
      const known = doc.counted === doc.stamp;
      const count = known ? doc.count : await this.counting(list, doc);
      if (!known) fresh.set(id, { stamp: doc.stamp, count });
      sums.set(doc.at, (sums.get(doc.at) ?? 0) + count);
    }
    await this.remember(fresh);
    return [...sums].sort(([a], [b]) => b - a).map(([at, count]) => ({ ...periodOf(level, at), count }));
  }

  /** The day, or the part of one, in which a row lies. */
  async dayOf(lists: readonly CountedList[], periods: readonly CountedPeriod[], place: number) {
    const found = periodAt(periods, place);
    if (found?.period.level !== 1) return found;
    return periodAt(await this.of(lists, { ...found.period, level: 0 }), found.place);
  }

  private async remembered(keys: readonly string[], { level, from, to }: Piece): Promise<Map<string, PeriodCount>> {
    const found = new Map<string, PeriodCount>();
    if (level === null) return found;
    const at = { gte: numberOf(level, from), lte: numberOf(level, to) - 1 };
    const periods = this.documents.collection(this.counted.periods);
    for (let i = 0; i < keys.length; i += LISTS) {
      const list = { in: keys.slice(i, i + LISTS) };
      // Periods come and never go.
      for await (const some of foundPages(periods, { where: { list, level, at } }, BATCH)) {
        for (const { id, doc } of some) found.set(id, doc);
      }
    }
    return found;
  }

  private async counting(list: CountedList, { level, at }: PeriodCount): Promise<number> {
    const period = periodOf(level, at);
    return level === 0 ? this.rowsIn(list.where, period) : sumOf(await this.of([list], { ...period, level: 0 }));
  }

  /**
   * Remembers counts under the revisions that were read before counting. Rows that are written meanwhile are revised after, so a count without
   * them is not taken for theirs.
   */
  private async remember(
    counts: ReadonlyMap<string, { readonly stamp: number; readonly count: number }>,
  ): Promise<void> {
    for (const ids of batches([...counts.keys()])) {
      await this.documents.collection(this.counted.periods).merge(ids, (current, id) => {
        const { stamp: revision, count } = counts.get(id) ?? {};
        return current === null || count === undefined || current.stamp !== revision
          ? undefined
          : { ...current, counted: revision, count };
      });
    }
  }

  private rowsIn(where: Query['where'], piece: Pick<Piece, 'from' | 'to'>): Promise<number> {
    return this.documents.collection(this.counted.rows).count({ ...where, [this.counted.moment]: within(piece) });
  }
}

function sumOf(periods: readonly CountedPeriod[]): number {
  return periods.reduce((sum, { count }) => sum + count, 0);
}
