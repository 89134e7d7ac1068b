import { batches } from '@assurance/event-sourcing/projection/batches';
import { numberOf, periodOf, QUARTER } from '@assurance/event-sourcing/projection/days/periods';
import type { CountedList } from '@assurance/event-sourcing/projection/days/read';
import { changedQuarters, type PeriodCount, remember } from '@assurance/event-sourcing/projection/days/revisions';
import { Slices } from '@assurance/kernel';
import { type Documents, findPages } from '@assurance/storage-ports';
import { type DeploymentFilter, deploymentLists } from '../deployments/list';
import { countedDeployments } from '../deployments/rows';
import { figuresOfDay } from './day';
import { type DayFigures, dayFigures, type Figures, quarterFigures, type QuarterFigures } from './rows';
import { NO_SKETCH, sketchSum } from './sketch';

const PIECE = 1_000;
const LISTS = 100;
/** If more quarters of a day changed, the whole day is computed again, because each quarter takes a query. */
const QUARTERS_MAX = 8;

/** A time range in epoch seconds, in whole quarters of an hour. The end is not included. */
export interface Bucket {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the figures of each bucket. It computes the quarters of an hour that changed since the last query from their rows, and stores them. For all
 * others it adds up the stored figures. The work does not grow with the number of deployments.
 *
 * @param buckets ascending, without gaps
 */
export async function deploymentFigures(
  documents: Documents,
  filter: Pick<DeploymentFilter, 'org' | 'repos' | 'environments'>,
  buckets: readonly Bucket[],
): Promise<Figures[]> {
  const parts: Figures[][] = buckets.map(() => []);
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (first === undefined || last === undefined) return [];
  const lists = new Map(deploymentLists(filter).map((list) => [list.key, list]));
  const slices = new Slices();
  for await (const periods of readPeriodCounts(documents, [...lists.keys()], first.from, last.to)) {
    const bucketOfDay = (at: number): number | null => {
      const { from, to } = periodOf(0, at);
      const bucket = bucketOf(buckets, from);
      return bucket === bucketOf(buckets, to - QUARTER) ? bucket : null;
    };
    const ids = [...periods].map(([id, { at }]) => ({ id, whole: bucketOfDay(at) !== null }));
    const days = await documents.collection(dayFigures).getMany(ids.flatMap(({ id, whole }) => (whole ? [id] : [])));
    const quarters = await documents
      .collection(quarterFigures)
      .getMany(ids.flatMap(({ id, whole }) => (whole ? [] : [id])));
    for (const [id, period] of periods) {
      await slices.pause();
      const list = lists.get(period.list);
      if (list === undefined) continue;
      const day = { documents, id, list, period };
      const bucket = bucketOfDay(period.at);
      if (bucket !== null) {
        parts[bucket]?.push(await figuresOfWholeDay(day, days.get(id)));
        continue;
      }
      const { from } = periodOf(0, period.at);
      for (const [quarter, figures] of Object.entries(await quartersOf(day, quarters.get(id)))) {
        const at = bucketOf(buckets, from + Number(quarter) * QUARTER);
        if (at !== null) parts[at]?.push(figures);
      }
    }
  }
  return parts.map(figuresSum);
}

export function figuresSum(all: readonly Figures[]): Figures {
  const sum = (of: (figures: Figures) => number) => all.reduce((total, figures) => total + of(figures), 0);
  return {
    deployments: sum(({ deployments }) => deployments),
    rollbacks: sum(({ rollbacks }) => rollbacks),
    kinds: kindsSum(all.map(({ kinds }) => kinds)),
    lead: all.length === 0 ? NO_SKETCH : sketchSum(all.map(({ lead }) => lead)),
    recovery: all.length === 0 ? NO_SKETCH : sketchSum(all.map(({ recovery }) => recovery)),
  };
}

function kindsSum(all: readonly Figures['kinds'][]): Figures['kinds'] {
  const sum: Record<string, number> = {};
  for (const kinds of all) for (const [kind, count] of Object.entries(kinds)) sum[kind] = (sum[kind] ?? 0) + count;
  return sum;
}

/** Yields the days of lists that ever had a row, each with its stored figures. */
export async function* readDays(
  documents: Documents,
  lists: ReadonlyMap<string, CountedList>,
  from: number,
  to: number,
): AsyncGenerator<{ readonly day: Day; readonly stored: DayFigures | undefined }> {
  const slices = new Slices();
  for await (const periods of readPeriodCounts(documents, [...lists.keys()], from, to)) {
    const storedFigures = await documents.collection(dayFigures).getMany([...periods.keys()]);
    for (const [id, period] of periods) {
      await slices.pause();
      const list = lists.get(period.list);
      if (list !== undefined) yield { day: { documents, id, list, period }, stored: storedFigures.get(id) };
    }
  }
}

/** Yields the days of lists that ever had a row, in pieces, by document id. */
async function* readPeriodCounts(
  documents: Documents,
  keys: readonly string[],
  from: number,
  to: number,
): AsyncGenerator<ReadonlyMap<string, PeriodCount>> {
  const at = { gte: numberOf(0, from), lte: numberOf(0, to) };
  const seenIds = new Set<string>();
  for (let i = 0; i < keys.length; i += LISTS) {
    const where = { list: { in: keys.slice(i, i + LISTS) }, level: 0, at };
    // Days are added and never removed.
    for await (const page of findPages(documents.collection(countedDeployments.periods), { where }, PIECE)) {
      for (const some of batches(page.filter(({ id }) => !seenIds.has(id)))) {
        for (const { id } of some) seenIds.add(id);
        yield new Map(some.map(({ id, doc }) => [id, doc]));
      }
    }
  }
}

export interface Day {
  readonly documents: Documents;
  readonly id: string;
  readonly list: CountedList;
  /** It is read before the rows. If a row arrives meanwhile, the day is revised afterwards. */
  readonly period: PeriodCount;
}

/** Returns the figures of each quarter of an hour of a day, by its number. */
export async function readQuarters(day: Day): Promise<QuarterFigures['quarters']> {
  return quartersOf(day, (await day.documents.collection(quarterFigures).get(day.id)) ?? undefined);
}

export async function figuresOfWholeDay(day: Day, storedFigures: DayFigures | undefined): Promise<Figures> {
  const { documents, id, period } = day;
  if (storedFigures !== undefined && storedFigures.stamp >= period.stamp) return storedFigures.whole;
  const existing = await documents.collection(quarterFigures).getMany([id]);
  const wholeDay = figuresSum(Object.values(await quartersOf(day, existing.get(id))));
  await remember(documents, dayFigures, id, { stamp: period.stamp, whole: wholeDay });
  return wholeDay;
}

async function quartersOf(day: Day, storedFigures: QuarterFigures | undefined): Promise<QuarterFigures['quarters']> {
  const { documents, id, list, period } = day;
  if (storedFigures !== undefined && storedFigures.stamp >= period.stamp) return storedFigures.quarters;
  const changed = storedFigures === undefined ? null : changedSince(storedFigures.stamp, period);
  const computed = await figuresOfDay(documents, list, period.at, changed);
  const others = Object.entries(changed === null ? {} : (storedFigures?.quarters ?? {})).filter(
    ([quarter]) => changed?.includes(Number(quarter)) === false,
  );
  const quarters = { ...Object.fromEntries(others), ...computed };
  await remember(documents, quarterFigures, id, { stamp: period.stamp, quarters });
  return quarters;
}

/** Returns the quarters that changed since a revision, or null for all. */
function changedSince(revision: number, period: PeriodCount): readonly number[] | null {
  const changed = changedQuarters(period, revision);
  return (changed?.length ?? 0) > QUARTERS_MAX ? null : changed;
}

/** Returns the index of the bucket that contains a moment, or null if there is none. */
function bucketOf(buckets: readonly Bucket[], seconds: number): number | null {
  let [low, high] = [0, buckets.length - 1];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const { from = 0, to = 0 } = buckets[middle] ?? {};
    if (seconds < from) high = middle - 1;
    else if (seconds >= to) low = middle + 1;
    else return middle;
  }
  return null;
}
