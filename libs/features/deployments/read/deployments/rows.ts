import type { DeploymentKind, SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import { type CollectionShape, index, orderBy } from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import type { ArtifactReported, Provenance } from '@assurance/contracts/flows/events';
import { baseName } from '@assurance/environments/domain/artifact-line';
import { byKey } from '@assurance/environments/domain/runs';
import { startOf } from '@assurance/environments/domain/start';
import type { CountedList, CountedRows } from '@assurance/event-sourcing/projection/days/read';
import { periodCounts, type QuarterCounts } from '@assurance/event-sourcing/projection/days/revisions';
import { groupBy, mapInSlices, Slices } from '@assurance/kernel';
import { dayFigures, failing, quarterFigures, recoveries } from '../figures/rows';
import { lineNames, lineTemplates } from './lines';
import type { Origin } from './origin';

/** The version of the view. A higher one builds all rows again, so raise it if their form changes. */
export const deploymentsVersion = 7;

/**
 * A deployment: a fingerprint that runs in a snapshot and not in the one before. Except for its origin, it depends only on the environment's stream.
 */
export interface DeploymentRow {
  readonly org: string;
  /** Id of the environment. */
  readonly environment: string;
  /** The name of the environment, by which rows are ordered. */
  readonly environmentName: string;
  /** Seq of the event that set this name. */
  readonly namedAt?: number;
  readonly snapshot: number;
  readonly fingerprint: string;
  readonly name: string;
  /** Epoch seconds. */
  readonly deployedAt: number;
  /** The verdict in the snapshot in which it started. */
  readonly compliant: boolean | null;
  /** Its name without tag and digest. */
  readonly base: string;
  readonly kind: DeploymentKind;
  /** Whether the fingerprint had never run in the environment before. */
  readonly first?: true;
  readonly origin: Origin | null;
}

/** A fingerprint that ran in the previous snapshot and left in this one. At most one deployment replaced it. */
export interface DepartureRow {
  readonly org: string;
  readonly environment: string;
  /** The first snapshot without it. */
  readonly snapshot: number;
  readonly fingerprint: string;
  readonly name: string;
  /** Its name without tag and digest. */
  readonly base: string;
  /** The snapshot in which it had started. */
  readonly since: number;
  /** The id of the deployment that replaced it. */
  readonly completes?: string;
  readonly origin: Origin | null;
}

/** The first report of a fingerprint in one stream. */
export interface ReportRow {
  readonly org: string;
  readonly fingerprint: string;
  readonly origin: Provenance;
}

const newest = ['-deployedAt', '-snapshot', 'environmentName', 'fingerprint'];

export const deployments: CollectionShape<DeploymentRow> = {
  name: 'view_deployments',
  deferred: 'first',
  ids: ['org', 'environment', 'fingerprint', 'origin.repo.id', 'origin.flow.id'],
  indexes: [
    index('by_org', 'org', ...newest),
    index('by_environment', 'org', 'environment', ...newest),
    { ...index('by_repo', 'org', 'origin.repo.id', ...newest), only: 'origin.repo.id' },
    { ...index('by_repo_environment', 'org', 'origin.repo.id', 'environment', ...newest), only: 'origin.repo.id' },
    { ...index('by_flow_and_kind', 'origin.flow.id', 'kind', '-deployedAt'), only: 'origin.flow.id' },
    index('by_artifact', 'org', 'fingerprint', 'first', 'environment'),
    index('by_start', 'environment', 'fingerprint', 'snapshot'),
    index('by_base', 'environment', 'base', 'snapshot'),
  ],
};

const quarterCounts: CollectionShape<QuarterCounts> = { name: 'view_deployment_quarter_counts', indexes: [] };

/**
 * Deployments are counted by day. Days with many deployments are also counted by quarter of an hour. Order: deployed_at, snapshot_index, env_name,
 * fingerprint. The first two are descending.
 */
export const countedDeployments: CountedRows<DeploymentRow> = {
  rows: deployments,
  periods: periodCounts('view_deployment_counts'),
  quarters: { counts: quarterCounts, many: 1_000 },
  moment: 'deployedAt',
  order: orderBy(...newest),
};

/** A counted list of deployments: of an organization, one environment, one repository, or one repository in one environment. */
export function deploymentList(org: string, repo: string | null, environment: string | null): CountedList {
  return {
    key: listKey(org, repo, environment),
    where: {
      org,
      ...(repo === null ? {} : { 'origin.repo.id': repo }),
      ...(environment === null ? {} : { environment }),
    },
  };
}

/** Returns the key of a list of deployments. */
export function listKey(org: string, repo: string | null, environment: string | null): string {
  const ofRepo = repo === null ? org : `${org}/repo/${repo}`;
  return environment === null ? ofRepo : `${ofRepo}/environment/${environment}`;
}

export const departures: CollectionShape<DepartureRow> = {
  name: 'view_departures',
  deferred: 'first',
  ids: ['org', 'environment', 'fingerprint'],
  indexes: [
    index('by_base', 'environment', 'base', 'snapshot'),
    { ...index('by_completed', 'completes', 'snapshot'), only: 'completes' },
    index('by_artifact', 'org', 'fingerprint'),
    index('by_end', 'environment', 'fingerprint', 'snapshot'),
  ],
};

export const reports: CollectionShape<ReportRow> = {
  name: 'view_deployment_reports',
  deferred: 'first',
  indexes: [index('by_fingerprint', 'org', 'fingerprint', 'origin.reportedAt', 'origin.artifactId')],
};

/** When a snapshot of an earlier event version was recorded. Its event does not say what was observed before it. */
export interface SnapshotTime {
  /** Integer milliseconds. */
  readonly at: number;
}

export const snapshotTimes: CollectionShape<SnapshotTime> = {
  name: 'view_deployment_snapshots',
  deferred: 'first',
  indexes: [],
};

/** The older repository that a repository was joined to. The document's id is the id of the joined repository. */
export interface JoinedRepo {
  readonly into: string;
}

export const joinedRepos: CollectionShape<JoinedRepo> = { name: 'view_deployment_joined_repos', indexes: [] };

/** All collections of the view. */
export const deploymentCollections = [
  joinedRepos,
  snapshotTimes,
  lineNames,
  lineTemplates,
  deployments,
  departures,
  reports,
  countedDeployments.periods,
  quarterCounts,
  failing,
  recoveries,
  dayFigures,
  quarterFigures,
] as const;

/** Rows by their deterministic ids. The same event makes the same rows. */
export type Rows<T> = ReadonlyMap<string, T>;

/** Returns the id of a deployment or a departure. */
export function rowId(environment: string, snapshot: number, fingerprint: string): string {
  return `${environment}/${snapshot}/${fingerprint}`;
}

/**
 * Returns the deployments and departures of a snapshot, without origin. Their kinds are set as far as the event shows them.
 *
 * @param previous when the previous snapshot was recorded (milliseconds), for an event that does not say when the previous report was observed
 */
export async function rowsOf(
  { data }: SnapshotRecorded,
  { org, stream, seq, at }: EventMeta,
  previous: number | null,
): Promise<{ readonly deployments: Rows<DeploymentRow>; readonly departures: Rows<DepartureRow> }> {
  const environment = keyOf(stream);
  const { snapshot, environment: environmentName, afresh } = data;
  const isEarlier = isOfEarlierVersion(data);
  const isBaseline = isEarlier ? snapshot === 1 || afresh !== undefined : data.previousReportAt === null;
  const seen = { previous: isBaseline || previous === null ? null : previous / 1_000, observed: at / 1_000 };
  const deployments = new Map<string, DeploymentRow>();
  const departures = new Map<string, DepartureRow>();
  const slices = new Slices();
  // The changes in which a fingerprint started or exited under all its names.
  const whole = data.changes.filter(({ wholly }) => wholly);
  await slices.pause();
  const groups = groupBy(whole, (change) => change.fingerprint);
  await slices.pause();
  await mapInSlices(groups, ([fingerprint, changes]) => {
    const row = { org, environment, snapshot, fingerprint, origin: null };
    const id = rowId(environment, snapshot, fingerprint);
    const arrived = changes.filter(({ now }) => now > 0);
    if (arrived.length > 0) {
      const { name, since, compliant, flows } = earliest(arrived);
      const commit = flows[0]?.commit?.timestamp ?? null;
      deployments.set(id, {
        ...row,
        environmentName,
        namedAt: seq,
        name,
        base: baseName(name),
        deployedAt: isEarlier ? startOf([since.deployedAt], seen, commit) : since.deployedAt,
        compliant,
        kind: isBaseline ? 'baseline' : 'first',
      });
      // If recording starts afresh, nothing is replaced.
    } else if (afresh === undefined) {
      const { name, since } = earliest(changes);
      departures.set(id, { ...row, name, base: baseName(name), since: since.snapshot });
    }
  });
  return { deployments, departures };
}

/** Whether an event does not say when its report was observed. */
export function isOfEarlierVersion({ observedAt }: SnapshotRecorded['data']): boolean {
  return observedAt === undefined;
}

/** Returns the report of a fingerprint in a stream: the first one of that stream. */
export function reportOf({ data }: ArtifactReported, { org }: EventMeta): readonly [id: string, row: ReportRow] {
  const { fingerprint, first, provenance } = data;
  const origin = first ?? provenance;
  return [reportId(fingerprint, origin), { org, fingerprint, origin }];
}

/** Returns the id of a report. All reports of a fingerprint in one stream have the id of the first. */
export function reportId(fingerprint: string, { artifactId }: Pick<Origin, 'artifactId'>): string {
  return `${fingerprint}@${artifactId}`;
}

/** Returns the change with the earliest instance. A fingerprint gets one row, under the name of this instance. */
function earliest(changes: readonly SnapshotChange[]): SnapshotChange {
  return changes.reduce((first, next) => {
    const order = next.since.deployedAt - first.since.deployedAt || byKey(next, first);
    return order < 0 ? next : first;
  });
}
