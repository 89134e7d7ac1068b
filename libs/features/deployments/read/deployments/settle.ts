import { batches, distinct } from '@assurance/event-sourcing/projection/batches';
import { forEachConcurrently, pieces } from '@assurance/kernel';
import { type Documents, foundPages } from '@assurance/storage-ports';
import { settleCompletions } from './completions';
import { isReturn, settleKinds } from './kinds';
import { type LineRow, ArtifactLines } from './lines';
import { readReports } from './reports';
import { reviseLists } from './revise';
import { type DepartureRow, type DeploymentRow, deployments } from './rows';

/** What of a deployment tells which lists hold it. */
type Listed = Pick<DeploymentRow, 'environment' | 'fingerprint' | 'deployedAt'>;

const PIECE = 1_000;
const BASES = 250;
/** Environments that are settled at the same time: each takes a dozen steps of the store, one after the other. */
const ENVIRONMENTS = 8;

/** What of an environment is to be computed again: from a snapshot on, for some base names. */
interface PendingEnvironment {
  since: number;
  readonly bases: Set<string>;
  /** Deployments whose kinds depend on what else ran, by their ids. */
  readonly returns: Map<string, Listed>;
}

/**
 * What is to be computed when rows are written: kinds of returns, and what departures complete. Both depend on rows of others and on where these come
 * from, which other processes may write meanwhile. So all is computed again after each write until nothing changes: whoever writes last has read what all
 * others wrote.
 */
export class PendingComputations {
  private readonly environments = new Map<string, PendingEnvironment>();

  /** Rows of snapshots, written. What follows them is not written yet, or is computed with them. */
  snapshot(arrived: Iterable<readonly [id: string, row: DeploymentRow]>, left: Iterable<DepartureRow>): void {
    for (const [id, row] of arrived) if (isReturn(row)) this.of(row.environment, row.snapshot).returns.set(id, row);
    for (const row of left) this.of(row.environment, row.snapshot).bases.add(row.base);
  }

  /** Rows of which it became known where they come from. */
  origin(rows: Iterable<LineRow & { readonly snapshot: number; readonly since?: number }>): void {
    for (const row of rows) this.of(row.environment, row.since ?? row.snapshot).bases.add(row.base);
  }

  /** After rows of snapshots. */
  async settle(documents: Documents, org: string): Promise<void> {
    const all: Listed[] = [];
    await forEachConcurrently(this.environments, ENVIRONMENTS, async ([environment, { since, bases, returns }]) => {
      await settle(documents, environment, since, bases, [...returns.keys()]);
      for (const row of returns.values()) all.push(row);
    });
    await reviseKinds(documents, org, all);
  }

  /** After it became known where rows come from: where all artifacts of a base name are of one line anyway, nothing depends on that. */
  async settleLate(documents: Documents, org: string): Promise<void> {
    const all: Listed[] = [];
    await forEachConcurrently(this.environments, ENVIRONMENTS, async ([environment, { since, bases }]) => {
      const lines = new ArtifactLines(documents, environment);
      const mixed: string[] = [];
      for (const base of bases) if (await lines.areMixed(base)) mixed.push(base);
      if (mixed.length === 0) return;
      const related = await lines.with(mixed);
      const returns = new Map<string, Listed>();
      for (const some of pieces([...related], BASES)) {
        const where = { environment, base: { in: some }, snapshot: { gte: since } };
        for await (const page of foundPages(documents.collection<DeploymentRow>(deployments), { where }, PIECE)) {
          for (const { id, doc } of page) if (isReturn(doc)) returns.set(id, doc);
        }
      }
      await settle(documents, environment, since, related, [...returns.keys()]);
      for (const row of returns.values()) all.push(row);
    });
    await reviseKinds(documents, org, all);
  }

  private of(environment: string, snapshot: number): PendingEnvironment {
    const pending = this.environments.get(environment);
    const own = pending ?? { since: snapshot, bases: new Set(), returns: new Map() };
    own.since = Math.min(own.since, snapshot);
    this.environments.set(environment, own);
    return own;
  }
}

async function settle(
  documents: Documents,
  environment: string,
  since: number,
  bases: ReadonlySet<string>,
  returns: readonly string[],
): Promise<void> {
  if (bases.size === 0 && returns.length === 0) return;
  for (;;) {
    const lines = new ArtifactLines(documents, environment);
    const all = bases.size === 0 ? bases : await lines.with(bases);
    const kinds = await settleKinds(documents, environment, returns, lines);
    const completions = await settleCompletions(documents, environment, since, all, lines);
    if (!kinds && !completions) return;
  }
}

/** Figures count kinds. Revised where nothing changed too: a process may have stopped between both. */
async function reviseKinds(documents: Documents, org: string, all: readonly Listed[]): Promise<void> {
  for (const rows of batches(all)) {
    const reports = await readReports(documents, org, distinct(rows.map(({ fingerprint }) => fingerprint)));
    await reviseLists(documents, org, rows, reports);
  }
}
