import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import { type Documents, findPages, type Query } from '@assurance/storage-ports';
import { batches } from '../batches';
import { EMPTY_PAGE, pageBeside, type PageOfDocuments, pageFromDocuments } from '../cursor-page';
import type { PageRequest } from '../listing';
import {
  type CountedPeriod,
  splitWindow,
  cutQuarters,
  ALL_TIME,
  type Level,
  numberOf,
  type Period,
  periodAt,
  periodOf,
  type WindowPart,
  QUARTERS,
  boundsOf,
} from './periods';
import { changedQuarters, type CountCollections, type PeriodCount, remember } from './revisions';

const BATCH = 1_000;
/** The most lists in one query. */
const LISTS = 100;

/** Rows with counts by list and day. Each row has a moment that is never negative. Rows are ordered by it, newest first. */
export interface CountedRows<T extends object> extends CountCollections {
  readonly rows: CollectionShape<T>;
  /** Path of the moment (epoch seconds). */
  readonly moment: string;
  /** Begins with the moment, descending. */
  readonly order: NonNullable<Query['order']>;
}

/** A list that handlers pass to `revise`, and the condition that selects its rows. */
export interface CountedList {
  readonly key: string;
  readonly where: Query['where'];
}

/** The lists to read. No row is in two of them. One condition selects the rows of all lists. */
export interface Selection {
  readonly lists: readonly CountedList[];
  readonly where: Query['where'];
  /** Epoch seconds, both ends included; null: unbounded. */
  readonly window: { readonly start: number; readonly end: number } | null;
}

/**
 * Reads one page, newest first, and the number of all rows. It counts rows only in days that changed since they were last counted, and in the two
 * days at the ends of the window. It finds the page by the counts. Days with many rows are counted by quarters of an hour, if the view stores
 * revisions of quarters.
 */
export async function countedPage<T extends object>(
  documents: Documents,
  countedRows: CountedRows<T>,
  selection: Selection,
  { page, perPage, cursor = null }: PageRequest,
): Promise<PageOfDocuments<T> & { readonly count: number }> {
  const { where, window } = selection;
  const counts = new Counts(documents, countedRows, selection);
  const periods: CountedPeriod[] = [];
  for (const piece of window === null ? [ALL_TIME] : splitWindow(window)) periods.push(...(await counts.of(piece)));
  const count = sumOf(periods);
  if (perPage === 0) return { count, ...EMPTY_PAGE };
  const { order, moment } = countedRows;
  const rows = documents.collection(countedRows.rows);
  if (cursor !== null) {
    const bounds = window === null ? {} : { gte: window.start, lte: window.end };
    return { count, ...(await pageBeside(rows, { where, order }, bounds, cursor, perPage)) };
  }
  const skip = (page - 1) * perPage;
  if (skip >= count) return { count, ...EMPTY_PAGE };
  // The rows before and after the page are read too, because links name them.
  const from = Math.max(0, skip - 1);
  const to = Math.min(skip + perPage + 1, count);
  const first = await counts.placeOf(periods, from);
  const last = await counts.placeOf(periods, to - 1);
  // The day lost rows after it was counted.
  if (first === null || last === null) return { count, ...EMPTY_PAGE };
  const read = await rows.find({
    where: { ...where, [moment]: boundsOf({ from: last.period.from, to: first.period.to }) },
    order,
    skip: first.place,
    limit: to - from,
  });
  return { count, ...pageFromDocuments(order, read, { hasPrevious: skip > 0, perPage }) };
}

/** A period of one list. */
interface ListPeriod {
  readonly id: string;
  readonly list: CountedList;
  readonly doc: PeriodCount;
}

/** How many rows a period has. */
interface Count {
  /** The period's number. */
  readonly at: number;
  readonly count: number;
}

/** The total counts of some lists. */
class Counts<T extends object> {
  private readonly lists: readonly CountedList[];
  /** Selects the rows of all lists. */
  private readonly where: Query['where'];
  /** The shorter periods within a longer one. Filled when a search for a row needs them. */
  private readonly parts = new Map<CountedPeriod, readonly CountedPeriod[]>();

  constructor(
    private readonly documents: Documents,
    private readonly countedRows: CountedRows<T>,
    { lists, where }: Selection,
  ) {
    this.lists = lists;
    this.where = where;
  }

  /** The periods of a piece that hold rows, newest first. */
  async of(piece: WindowPart): Promise<CountedPeriod[]> {
    const { level } = piece;
    if (level === null || level === -1) return this.partsOfDay(piece);
    return sumByPeriod(level, await this.countsOf(await this.readStored(this.lists, level, piece)));
  }

  /** The shortest counted period that contains a row, and how many rows of the period precede the row. */
  async placeOf(periods: readonly CountedPeriod[], place: number): Promise<ReturnType<typeof periodAt>> {
    const result = periodAt(periods, place);
    if (result === null) return null;
    const parts = this.parts.get(result.period) ?? (await this.partsOf(result.period));
    if (parts === null) return result;
    this.parts.set(result.period, parts);
    return this.placeOf(parts, result.place);
  }

  private async partsOf(period: CountedPeriod): Promise<readonly CountedPeriod[] | null> {
    if (period.level === 1) return this.of({ ...period, level: 0 });
    return period.level === 0 && this.areMany(period.count) ? this.partsOfDay(period) : null;
  }

  private areMany(rows: number, lists = this.lists.length): boolean {
    return this.countedRows.quarters !== undefined && rows >= this.countedRows.quarters.many * lists;
  }

  /** Cuts a day, or a shorter time, into quarters of an hour and the parts of quarters at its ends. One part if it has few rows. */
  private async partsOfDay(time: Period): Promise<CountedPeriod[]> {
    if (this.countedRows.quarters === undefined) return [await this.whole(time)];
    const days = await this.readStored(this.lists, 0, time);
    if (days.length === 0) return [];
    if (!this.areMany(sumOf(days.map(({ doc }) => doc)))) {
      const whole = await this.whole(time);
      if (!this.areMany(whole.count)) return [whole];
      // The stored counts mark the day as one with many rows.
      await this.countsOf(days);
    }
    const counts: Count[] = [];
    for (const day of days) counts.push(...(await this.quartersOf(day)));
    const quarters = sumByPeriod(-1, counts);
    const parts: CountedPeriod[] = [];
    for (const piece of cutQuarters(time)) {
      if (piece.level === null) parts.push(await this.whole(piece));
      else parts.push(...quarters.filter(({ from, to }) => from >= piece.from && to <= piece.to));
    }
    return parts;
  }

  private async whole(time: Period): Promise<CountedPeriod> {
    return { ...time, level: null, count: await this.rowsIn(this.where, time) };
  }

  /** The stored periods of a level that overlap a time. A period is stored once it has had a row. */
  private async readStored(lists: readonly CountedList[], level: 0 | 1, time: Period): Promise<ListPeriod[]> {
    const results = new Map<string, ListPeriod>();
    const { gte, lte } = boundsOf(time);
    const at = { gte: numberOf(level, gte), lte: numberOf(level, lte) };
    const byKey = new Map(lists.map((list) => [list.key, list]));
    const keys = [...byKey.keys()];
    for (let i = 0; i < keys.length; i += LISTS) {
      const where = { list: { in: keys.slice(i, i + LISTS) }, level, at };
      // Periods are added and never removed.
      for await (const some of findPages(this.documents.collection(this.countedRows.periods), { where }, BATCH)) {
        for (const { id, doc } of some) {
          const list = byKey.get(doc.list);
          if (list !== undefined) results.set(id, { id, list, doc });
        }
      }
    }
    return [...results.values()];
  }

  /** Counts the rows of each period that changed, and stores the counts. */
  private async countsOf(periods: readonly ListPeriod[]): Promise<Count[]> {
    const counts: Count[] = [];
    const fresh = new Map<string, { readonly stamp: number; readonly count: number }>();
    for (const period of periods) {
      const { id, doc } = period;
      const isCounted = doc.counted === doc.stamp;
      const count = isCounted ? doc.count : await this.countRows(period);
      if (!isCounted) fresh.set(id, { stamp: doc.stamp, count });
      counts.push({ at: doc.at, count });
    }
    await this.remember(fresh);
    return counts;
  }

  private async countRows(period: ListPeriod): Promise<number> {
    const { list, doc } = period;
    const time = periodOf(doc.level, doc.at);
    if (doc.level === 1) return sumOf(await this.countsOf(await this.readStored([list], 0, time)));
    return this.areMany(doc.count, 1) ? sumOf(await this.quartersOf(period)) : this.rowsIn(list.where, time);
  }

  /** Counts the rows of each quarter of an hour of a day that changed, and stores the counts. */
  private async quartersOf({ id, list, doc: day }: ListPeriod): Promise<Count[]> {
    const { quarters } = this.countedRows;
    if (quarters === undefined) return [];
    const first = numberOf(-1, periodOf(0, day.at).from);
    const storedCounts = await this.documents.collection(quarters.counts).get(id);
    let counts = storedCounts?.counts ?? [];
    if (storedCounts === null || storedCounts.stamp < day.stamp) {
      const changed = new Set((storedCounts && changedQuarters(day, storedCounts.stamp)) ?? QUARTERS);
      const fresh: number[] = [];
      for (const quarter of QUARTERS) {
        const count = changed.has(quarter) ? undefined : counts[quarter];
        fresh.push(count ?? (await this.rowsIn(list.where, periodOf(-1, first + quarter))));
      }
      counts = fresh;
      await remember(this.documents, quarters.counts, id, { stamp: day.stamp, counts });
    }
    return counts.map((count, quarter) => ({ at: first + quarter, count }));
  }

  /**
   * Stores counts with the revisions that were read before counting. A row that is written meanwhile raises the revision afterwards, so a count
   * that misses the row is recognized as outdated.
   */
  private async remember(
    counts: ReadonlyMap<string, { readonly stamp: number; readonly count: number }>,
  ): Promise<void> {
    for (const ids of batches([...counts.keys()])) {
      await this.documents.collection(this.countedRows.periods).merge(ids, (current, id) => {
        const { stamp, count } = counts.get(id) ?? {};
        return current === null || count === undefined || stamp === undefined || current.counted >= stamp
          ? undefined
          : { ...current, counted: stamp, count };
      });
    }
  }

  private rowsIn(where: Query['where'], time: Period): Promise<number> {
    return this.documents
      .collection(this.countedRows.rows)
      .count({ ...where, [this.countedRows.moment]: boundsOf(time) });
  }
}

/** Sums the counts of all lists by period, newest first. It uses no map, because each page of many deployments sums the quarters of its day. */
function sumByPeriod(level: Level, counts: readonly Count[]): CountedPeriod[] {
  const periods: CountedPeriod[] = [];
  let last = -1;
  for (const { at, count } of counts.toSorted((a, b) => b.at - a.at)) {
    const before = at === last ? (periods.pop()?.count ?? 0) : 0;
    const { from, to } = periodOf(level, at);
    periods.push({ level, from, to, count: before + count });
    last = at;
  }
  return periods;
}

function sumOf(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}
