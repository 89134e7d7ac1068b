import type { DeploymentKind, SnapshotChange, SnapshotRecorded } from '@assurance/contracts/environments/events';
import { type CollectionShape, index, orderBy } from '@assurance/contracts/events/aggregate';
import type { EventMeta } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import type { ArtifactReported, CommitInfo, Provenance, RepoRef } from '@assurance/contracts/flows/events';
import { baseName } from '@assurance/environments/domain/artifact-line';
import { byKey } from '@assurance/environments/domain/runs';
import { startOf } from '@assurance/environments/domain/start';
import type { CountedList, CountedRows } from '@assurance/event-sourcing/projection/days/read';
import { periodCounts, type QuarterCounts } from '@assurance/event-sourcing/projection/days/revisions';
import { grouped, mapInSlices, Slices } from '@assurance/kernel';
import { dayFigures, failing, quarterFigures, recoveries } from '../figures/rows';
import { lineNames, lineTemplates } from './lines';

/**
 * Where an artifact comes from: the first report of its fingerprint in the organization, or the first seen so far. Rows keep what lists find them by
 * and what most lists show; the report has the rest. So two rows fit a page of the embedded engine's file.
 */
export interface Origin extends Pick<Provenance, 'artifactId' | 'flow' | 'template' | 'reportedAt'> {
  readonly repo: Pick<RepoRef, 'id'> | null;
  readonly commit: Pick<CommitInfo, 'timestamp'> | null;
}

/** A deployment: a fingerprint that runs in a snapshot and not in the one before. Depends on one environment's stream, but for its origin. */
export interface DeploymentRow {
  readonly org: string;
  /** Id of the environment. */
  readonly environment: string;
  /** Its name, for the order of rows. */
  readonly environmentName: string;
  /** Seq of the event that named it so. */
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
  /** The snapshot in which it is gone. */
  readonly snapshot: number;
  readonly fingerprint: string;
  readonly name: string;
  /** Its name without tag and digest. */
  readonly base: string;
  /** The snapshot in which it had started. */
  readonly since: number;
  /** The id of the deployment that it completes: that which replaced it. */
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

/** Deployments are counted by days, and by quarters of an hour where a day has many. Order: deployed_at, then snapshot_index, env_name, fingerprint, all descending but the last two. */
export const countedDeployments: CountedRows<DeploymentRow> = {
  rows: deployments,
  periods: periodCounts('view_deployment_counts'),
  quarters: { counts: quarterCounts, many: 1_000 },
  moment: 'deployedAt',
  order: orderBy(...newest),
};

/** A list of deployments that is counted: of an organization, or of one environment, one repository, or one repository in one environment. */
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

/** The key of a list of deployments. */
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

/** When a snapshot of an earlier version of the event was recorded: its event does not say what was seen before it. */
export interface SnapshotTime {
  /** Integer milliseconds. */
  readonly at: number;
}

export const snapshotTimes: CollectionShape<SnapshotTime> = {
  name: 'view_deployment_snapshots',
  deferred: 'first',
  indexes: [],
};

/** A repository that was joined to an older one, by its id. */
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

/** Rows by their deterministic ids: the same event makes the same rows. */
export type Rows<T> = ReadonlyMap<string, T>;

/** The id of a deployment or a departure. */
export function rowId(environment: string, snapshot: number, fingerprint: string): string {
  return `${environment}/${snapshot}/${fingerprint}`;
}

/**
 * The deployments and departures of a snapshot, without origin, and with the kinds that its own event tells.
 *
 * @param previous when the snapshot before was recorded, for an event that does not say when the report before was observed (milliseconds)
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
  // Changes in which a fingerprint started or exited under all its names.
  const whole = data.changes.filter(({ wholly }) => wholly);
  await slices.pause();
  const groups = grouped(whole, (change) => change.fingerprint);
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
      // Where all starts from nothing, nothing is replaced.
    } else if (afresh === undefined) {
      const { name, since } = earliest(changes);
      departures.set(id, { ...row, name, base: baseName(name), since: since.snapshot });
    }
  });
  return { deployments, departures };
}

/** Whether an event does not say when what it shows was observed. */
export function isOfEarlierVersion({ observedAt }: SnapshotRecorded['data']): boolean {
  return observedAt === undefined;
}

/** The report of a fingerprint that a stream's event leaves: the first one of that stream. */
export function reportOf({ data }: ArtifactReported, { org }: EventMeta): readonly [id: string, row: ReportRow] {
  const { fingerprint, first, provenance } = data;
  const origin = first ?? provenance;
  return [reportId(fingerprint, origin), { org, fingerprint, origin }];
}

/** All reports of a fingerprint in one stream have the id of the first. */
export function reportId(fingerprint: string, { artifactId }: Pick<Origin, 'artifactId'>): string {
  return `${fingerprint}@${artifactId}`;
}

/** What rows keep of a report. */
export function originOf({ artifactId, flow, template, reportedAt, repo, commit }: Provenance): Origin {
  return {
    artifactId,
    flow,
    template,
    reportedAt,
    repo: repo && { id: repo.id },
    commit: commit && { timestamp: commit.timestamp },
  };
}

/** Which of two reports came first: by time, then id; not by the order in which they reach a view. */
export function firstOf(a: Origin | null, b: Origin | null): Origin | null {
  if (a === null || b === null) return a ?? b;
  if (a.reportedAt !== b.reportedAt) return a.reportedAt < b.reportedAt ? a : b;
  // Of one report the later reading, which knows to which repository its own was joined.
  return a.artifactId < b.artifactId ? a : b;
}

/** One row a fingerprint, under the name of its earliest instance. */
function earliest(changes: readonly SnapshotChange[]): SnapshotChange {
  return changes.reduce((first, next) => {
    const order = next.since.deployedAt - first.since.deployedAt || byKey(next, first);
    return order < 0 ? next : first;
  });
}
