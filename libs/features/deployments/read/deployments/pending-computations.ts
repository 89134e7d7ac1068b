import { batches, removeDuplicates } from '@assurance/event-sourcing/projection/batches';
import { waitForAll, forEachConcurrently } from '@assurance/kernel';
import { type Documents, pagesAmong } from '@assurance/storage-ports';
import { Completions } from './completions';
import { isReturn, settleKinds } from './kinds';
import { type LineRow, ArtifactLines } from './lines';
import { type FingerprintReports, readReports } from './reports';
import { reviseLists } from './revise-lists';
import { type DepartureRow, type DeploymentRow, deployments, type Rows } from './rows';

/** The fields of a deployment that determine its lists. */
type ListedFields = Pick<DeploymentRow, 'environment' | 'fingerprint' | 'deployedAt'>;

const PIECE = 1_000;
const BASES = 250;
/** How many environments are settled at the same time. Each takes a dozen store operations, one after the other. */
const ENVIRONMENTS = 8;

/** The pending computations of an environment: from a snapshot on, for some base names. */
interface ComputedEnvironment {
  readonly since: number;
  readonly bases: ReadonlySet<string>;
  /** Deployments by id. Their kinds depend on other artifacts that ran. */
  readonly returns: ReadonlyMap<string, ListedFields>;
  /** The departures that are known to be written. */
  readonly departures: readonly DepartureRow[];
}

/** The same while it is collected. */
interface PendingEnvironment extends ComputedEnvironment {
  since: number;
  readonly bases: Set<string>;
  readonly returns: Map<string, ListedFields>;
  readonly departures: DepartureRow[];
}

/**
 * The computations that follow when rows are written: the kinds of returns, and the deployments that departures complete. Both depend on other rows
 * and their origins, which other processes may write at the same time. So everything is computed again after each write until nothing changes. The
 * last writer has then read the rows of all others.
 */
export class PendingComputations {
  private readonly environments = new Map<string, PendingEnvironment>();
  /** Deployments with kinds that depend on nothing else. */
  private readonly settledFields: ListedFields[] = [];
  private readonly reports = new Map<string, FingerprintReports>();

  /**
   * Adds the written rows of snapshots. Rows of later snapshots are not written yet, or are computed together with these.
   *
   * @param reports the reports of their fingerprints, read after the rows were written
   * @param decided environments whose rows have their kinds and pairs already
   */
  snapshot(
    arrivedRows: Rows<DeploymentRow>,
    departedRows: Rows<DepartureRow>,
    reports: ReadonlyMap<string, FingerprintReports>,
    decided: ReadonlySet<string>,
  ): void {
    for (const [id, row] of arrivedRows) {
      if (isReturn(row) && !decided.has(row.environment)) this.of(row.environment, row.snapshot).returns.set(id, row);
      else this.settledFields.push(row);
    }
    for (const row of departedRows.values()) {
      if (decided.has(row.environment)) continue;
      const pendingEnvironment = this.of(row.environment, row.snapshot);
      pendingEnvironment.bases.add(row.base);
      pendingEnvironment.departures.push(row);
    }
    for (const [fingerprint, own] of reports) this.reports.set(fingerprint, own);
  }

  /** Adds rows that got an origin. */
  origin(rows: Iterable<LineRow & { readonly snapshot: number; readonly since?: number }>): void {
    for (const row of rows) this.of(row.environment, row.since ?? row.snapshot).bases.add(row.base);
  }

  /**
   * Computes after rows of snapshots were written. It revises lists at the same time, except for lists of returns: their kinds are computed first.
   */
  async settle(documents: Documents, org: string): Promise<void> {
    const all = [...this.environments.values()].flatMap(({ returns }) => [...returns.values()]);
    const settlements = forEachConcurrently(this.environments, ENVIRONMENTS, ([environment, pending]) =>
      settle(documents, environment, pending),
    );
    await waitForAll([reviseLists(documents, org, this.settledFields, this.reports), settlements]);
    await reviseKinds(documents, org, all);
  }

  /** Computes after rows got an origin. If all artifacts of a base name are in one line anyway, the origin changes nothing. */
  async settleLate(documents: Documents, org: string): Promise<void> {
    const all: ListedFields[] = [];
    await forEachConcurrently(this.environments, ENVIRONMENTS, async ([environment, { since, bases }]) => {
      const lines = new ArtifactLines(documents, environment);
      const mixedBases = await lines.findMixed(bases);
      if (mixedBases.length === 0) return;
      const relatedBases = await lines.with(mixedBases);
      const returns = new Map<string, ListedFields>();
      const rows = documents.collection<DeploymentRow>(deployments);
      const where = { environment, snapshot: { gte: since } };
      for await (const page of pagesAmong(rows, where, 'base', relatedBases, PIECE, BASES)) {
        for (const { id, doc } of page) if (isReturn(doc)) returns.set(id, doc);
      }
      await settle(documents, environment, { since, bases: relatedBases, returns, departures: [] });
      for (const row of returns.values()) all.push(row);
    });
    await reviseKinds(documents, org, all);
  }

  private of(environment: string, snapshot: number): PendingEnvironment {
    const pendingEnvironment = this.environments.get(environment);
    const environmentState = pendingEnvironment ?? {
      since: snapshot,
      bases: new Set(),
      returns: new Map(),
      departures: [],
    };
    environmentState.since = Math.min(environmentState.since, snapshot);
    this.environments.set(environment, environmentState);
    return environmentState;
  }
}

/** Computes kinds and completions. Both depend on the same rows, but not on each other. */
async function settle(
  documents: Documents,
  environment: string,
  { since, bases, returns, departures }: ComputedEnvironment,
): Promise<void> {
  if (bases.size === 0 && returns.size === 0) return;
  const ids = [...returns.keys()];
  const completions = new Completions(documents, environment, { since, bases, departures });
  for (;;) {
    const lines = new ArtifactLines(documents, environment);
    const changed = await waitForAll([settleKinds(documents, environment, ids, lines), completions.settle(lines)]);
    if (!changed.includes(true)) return;
  }
}

/** Revises lists, because figures count kinds. It does so even if nothing changed, because a process may have stopped between the two steps. */
async function reviseKinds(documents: Documents, org: string, all: readonly ListedFields[]): Promise<void> {
  for (const rows of batches(all)) {
    const reports = await readReports(documents, org, removeDuplicates(rows.map(({ fingerprint }) => fingerprint)));
    await reviseLists(documents, org, rows, reports);
  }
}
