import { Slices } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { batches } from '../batches';
import type { CountedList } from '../days/read';
import { numberOf, periodOf } from '../days/periods';
import type { PeriodCount } from '../days/revisions';
import { countedDeployments } from '../deployments/rows';
import { deploymentLists, type DeploymentFilter } from '../deployments/list';
import { figuresOfDay, QUARTER } from './day';
import { type DayFigures, dayFigures, type Figures } from './rows';
import { NO_SKETCH, sketchSum } from './sketch';

const PIECE = 1_000;
const LISTS = 100;

/** Some time, in epoch seconds, in whole quarters of an hour; without its end. */
export interface Bucket {
  readonly from: number;
  readonly to: number;
}

/**
 * Reads the figures of each bucket. It recomputes days that changed since the last query from their rows and stores them; it adds up the
 * stored figures of all others. The work does not grow with the number of deployments.
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
  for await (const periods of stamped(documents, [...lists.keys()], first.from, last.to)) {
    const known = await documents.collection(dayFigures).getMany([...periods.keys()]);
    for (const [id, period] of periods) {
      await slices.pause();
      const list = lists.get(period.list);
      if (list === undefined) continue;
      const stored = known.get(id);
      const day = stored?.stamp === period.stamp ? stored : await make(documents, id, list, period);
      const { from, to } = periodOf(0, period.at);
      const put = (figures: Figures, at: number | null) => at === null || parts[at]?.push(figures);
      const bucket = bucketOf(buckets, from);
      if (bucket !== null && bucket === bucketOf(buckets, to - QUARTER)) put(day.whole, bucket);
      else {
        for (const [quarter, figures] of Object.entries(day.quarters)) {
          put(figures, bucketOf(buckets, from + Number(quarter) * QUARTER));
        }
      }
    }
  }
  return parts.map(figuresSum);
}

export function figuresSum(all: readonly Figures[]): Figures {
  const sum = (of: (figures: Figures) => number) => all.reduce((total, one) => total + of(one), 0);
  return {
    deployments: sum(({ deployments }) => deployments),
    rollbacks: sum(({ rollbacks }) => rollbacks),
    lead: all.length === 0 ? NO_SKETCH : sketchSum(all.map(({ lead }) => lead)),
    recovery: all.length === 0 ? NO_SKETCH : sketchSum(all.map(({ recovery }) => recovery)),
  };
}

/** The days of lists that ever had a row, in pieces, by the ids of their documents. */
async function* stamped(
  documents: Documents,
  keys: readonly string[],
  from: number,
  to: number,
): AsyncGenerator<ReadonlyMap<string, PeriodCount>> {
  const at = { gte: numberOf(0, from), lte: numberOf(0, to) };
  const seen = new Set<string>();
  for (let i = 0; i < keys.length; i += LISTS) {
    const where = { list: { in: keys.slice(i, i + LISTS) }, level: 0, at };
    for (let skip = 0; ; skip += PIECE) {
      // Days come and never go: one that comes meanwhile may show another one twice, and hides none.
      const found = await documents.collection(countedDeployments.periods).find({ where, skip, limit: PIECE });
      for (const some of batches(found.filter(({ id }) => !seen.has(id)))) {
        for (const { id } of some) seen.add(id);
        yield new Map(some.map(({ id, doc }) => [id, doc]));
      }
      if (found.length < PIECE) break;
    }
  }
}

/** Remembered under the revision that was read before: a row that comes meanwhile is revised after. */
async function make(
  documents: Documents,
  id: string,
  list: CountedList,
  { at, stamp: revision }: PeriodCount,
): Promise<DayFigures> {
  const quarters = await figuresOfDay(documents, list, at);
  const day = { stamp: revision, quarters, whole: figuresSum(Object.values(quarters)) };
  await documents
    .collection(dayFigures)
    .merge([id], (current) => ((current?.stamp ?? -1) >= revision ? undefined : day));
  return day;
}

/** The bucket of a moment; null if it is in none. */
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
