import { Slices } from '@assurance/kernel';
import type { Documents, Found, Query } from '@assurance/storage-ports';
import type { CountedList } from '../days/read';
import { type Period, periodOf, within } from '../days/periods';
import { type DeploymentRow, deployments } from '../deployments/rows';
import { type Figures, recoveries } from './rows';
import { NO_SKETCH, type Sketch, sketchOf, sketchSum } from './sketch';

/** Seconds. */
export const QUARTER = 900;
const DAY = 86_400;
const PIECE = 1_000;

/** The figures of a quarter of an hour. */
interface Making {
  deployments: number;
  rollbacks: number;
  readonly lead: Sketch[];
  readonly recovery: Sketch[];
}

/** The figures of a list's day, made of its rows. */
export async function figuresOfDay(
  documents: Documents,
  { where }: CountedList,
  at: number,
): Promise<Record<number, Figures>> {
  const day = periodOf(0, at);
  const making = new Map<number, Making>();
  const quarterOf = (seconds: number): Making => {
    const quarter = Math.floor((seconds - day.from) / QUARTER);
    const known = making.get(quarter) ?? { deployments: 0, rollbacks: 0, lead: [], recovery: [] };
    making.set(quarter, known);
    return known;
  };
  for await (const rows of rowsOf(documents, where, day)) {
    for (const row of rows) {
      const quarter = quarterOf(row.deployedAt);
      quarter.deployments += 1;
      if (row.firstOf === undefined) quarter.rollbacks += 1;
      const from = row.origin?.commit?.timestamp ?? null;
      if (from !== null) quarter.lead.push(sketchOf(row.deployedAt - from));
    }
  }
  // Environments recover. Repositories have no recoveries.
  if (!('origin.repo.id' in where)) {
    for (let skip = 0; ; skip += PIECE) {
      const found = await documents
        .collection(recoveries)
        .find({ where: { ...where, recoveredAt: within(day) }, skip, limit: PIECE });
      for (const { doc } of found) quarterOf(doc.recoveredAt).recovery.push(sketchOf(doc.recoveredAt - doc.failedAt));
      if (found.length < PIECE) break;
    }
  }
  return Object.fromEntries([...making].map(([quarter, made]) => [quarter, figuresOf(made)]));
}

function figuresOf({ deployments: count, rollbacks, lead, recovery }: Making): Figures {
  const sum = (all: readonly Sketch[]) => (all.length === 0 ? NO_SKETCH : sketchSum(all));
  return { deployments: count, rollbacks, lead: sum(lead), recovery: sum(recovery) };
}

/** The rows of a day in bounded pieces: at once where they are few, else by quarters of an hour. */
async function* rowsOf(
  documents: Documents,
  where: Query['where'],
  day: Period,
): AsyncGenerator<readonly DeploymentRow[]> {
  const rows = documents.collection<DeploymentRow>(deployments);
  const some = (period: Period, skip: number): Promise<Found<DeploymentRow>[]> =>
    rows.find({ where: { ...where, deployedAt: within(period) }, skip, limit: PIECE });
  const all = await some(day, 0);
  if (all.length < PIECE) return yield all.map(({ doc }) => doc);
  const slices = new Slices();
  for (let from = day.from; from < day.to; from += QUARTER) {
    // Rows come and never go: one that comes meanwhile has the day made again.
    for (let skip = 0; ; skip += PIECE) {
      await slices.pause();
      const found = await some({ from, to: Math.min(from + QUARTER, day.from + DAY) }, skip);
      if (found.length > 0) yield found.map(({ doc }) => doc);
      if (found.length < PIECE) break;
    }
  }
}
