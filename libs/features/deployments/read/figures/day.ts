import type { DeploymentKind } from '@assurance/contracts/environments/events';
import { isCounted } from '@assurance/environments/domain/deployment-kind';
import { leadTimeOf } from '@assurance/environments/domain/start';
import {
  numberOf,
  type Period,
  periodOf,
  quarterOf,
  QUARTERS,
  boundsOf,
} from '@assurance/event-sourcing/projection/days/periods';
import type { CountedList } from '@assurance/event-sourcing/projection/days/read';
import { Slices } from '@assurance/kernel';
import { type Documents, findPages, type Query } from '@assurance/storage-ports';
import { type DeploymentRow, deployments } from '../deployments/rows';
import { type Figures, recoveries } from './rows';
import { sketchOf } from './sketch';

const PIECE = 1_000;

/** The figures of a quarter of an hour while they are computed. */
interface QuarterDraft {
  deployments: number;
  rollbacks: number;
  readonly kinds: Partial<Record<DeploymentKind, number>>;
  /** Seconds. */
  readonly lead: number[];
  readonly recovery: number[];
}

/**
 * Computes the figures of a day of a list by quarters of an hour, from its rows.
 *
 * @param repos the numbers of the wanted quarters; null for all
 */
export async function figuresOfDay(
  documents: Documents,
  { where }: CountedList,
  at: number,
  repos: readonly number[] | null,
): Promise<Record<number, Figures>> {
  const day = periodOf(0, at);
  const drafts = new Map<number, QuarterDraft>();
  const makingOf = (seconds: number): QuarterDraft => {
    const quarter = quarterOf(seconds);
    const quarterDraft = drafts.get(quarter) ?? { deployments: 0, rollbacks: 0, kinds: {}, lead: [], recovery: [] };
    drafts.set(quarter, quarterDraft);
    return quarterDraft;
  };
  for await (const rows of rowsOf(documents, where, day, repos)) {
    for (const row of rows) {
      const quarter = makingOf(row.deployedAt);
      quarter.kinds[row.kind] = (quarter.kinds[row.kind] ?? 0) + 1;
      if (!isCounted(row.kind)) continue;
      quarter.deployments += 1;
      if (row.kind === 'rollback') quarter.rollbacks += 1;
      const lead = row.kind === 'first' ? leadTimeOf(row.deployedAt, row.origin?.commit?.timestamp) : null;
      if (lead !== null) quarter.lead.push(lead);
    }
  }
  // Only environments have recoveries. Repositories have none.
  if (!('origin.repo.id' in where)) {
    for (const period of repos === null ? [day] : quartersOf(day, repos)) {
      const recoveryQuery = { where: { ...where, recoveredAt: boundsOf(period) } };
      for await (const page of findPages(documents.collection(recoveries), recoveryQuery, PIECE)) {
        for (const { doc } of page) makingOf(doc.recoveredAt).recovery.push(doc.recoveredAt - doc.failedAt);
      }
    }
  }
  return Object.fromEntries([...drafts].map(([quarter, draft]) => [quarter, figuresOf(draft)]));
}

function figuresOf({ deployments: count, rollbacks, kinds, lead, recovery }: QuarterDraft): Figures {
  return { deployments: count, rollbacks, kinds, lead: sketchOf(lead), recovery: sketchOf(recovery) };
}

function quartersOf(day: Period, numbers: readonly number[]): Period[] {
  return numbers.map((number) => periodOf(-1, numberOf(-1, day.from) + number));
}

/** Yields the rows of a day, or of some quarters, in bounded pieces. A day with few rows is read at once, any other by quarters. */
async function* rowsOf(
  documents: Documents,
  where: Query['where'],
  day: Period,
  quarters: readonly number[] | null,
): AsyncGenerator<readonly DeploymentRow[]> {
  const rows = documents.collection<DeploymentRow>(deployments);
  const deployedIn = (period: Period) => ({ where: { ...where, deployedAt: boundsOf(period) } });
  if (quarters === null) {
    const all = await rows.find({ ...deployedIn(day), limit: PIECE });
    if (all.length < PIECE) return yield all.map(({ doc }) => doc);
  }
  const slices = new Slices();
  for (const quarter of quartersOf(day, quarters ?? QUARTERS)) {
    // Rows are added and never removed. If a row arrives meanwhile, the day is computed again.
    for await (const page of findPages(rows, deployedIn(quarter), PIECE)) {
      yield page.map(({ doc }) => doc);
      await slices.pause();
    }
  }
}
