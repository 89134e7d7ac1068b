import type { ArtifactReported, EventMeta, SnapshotChange, SnapshotRecorded } from '@assurance/contracts-events';
import { keyOf } from '@assurance/contracts-events';
import { grouped, mapSteps, type Steps } from '@assurance/kernel';
import { baseName, byKey } from '@assurance/model';
import type { DepartureRow, DeploymentRow, Origin, ReportRow } from './rows';

/** Rows by their deterministic ids: the same event makes the same rows. */
export type Rows<T> = ReadonlyMap<string, T>;

/** The deployments and departures of a snapshot, without origin. */
export function* rowsOf(
  { data }: SnapshotRecorded,
  { org, stream, seq }: EventMeta,
): Steps<{ readonly deployments: Rows<DeploymentRow>; readonly departures: Rows<DepartureRow> }> {
  const environment = keyOf(stream);
  const { snapshot, environment: environmentName } = data;
  const deployments = new Map<string, DeploymentRow>();
  const departures = new Map<string, DepartureRow>();
  // Those in which a fingerprint came or went under all its names.
  const whole = data.changes.filter(({ wholly }) => wholly);
  yield;
  const groups = grouped(whole, (change) => change.fingerprint);
  yield;
  yield* mapSteps(groups, ([fingerprint, changes]) => {
    const row = { org, environment, snapshot, fingerprint, origin: null };
    const arrived = changes.filter(({ now }) => now > 0);
    if (arrived.length > 0) {
      const { name, since, compliant } = earliest(arrived);
      deployments.set(`${environment}/${snapshot}/${fingerprint}`, {
        ...row,
        environmentName,
        namedAt: seq,
        name,
        deployedAt: since.deployedAt,
        compliant,
      });
    } else {
      const [{ name, since }] = changes;
      departures.set(`${environment}/${snapshot}/${fingerprint}`, {
        ...row,
        name,
        base: baseName(name),
        since: since.snapshot,
      });
    }
  });
  return { deployments, departures };
}

/** The report of a fingerprint that a stream's event leaves: the first one of that stream. */
export function reportOf(
  { data }: ArtifactReported,
  { org, stream }: EventMeta,
): readonly [id: string, row: ReportRow] {
  const { fingerprint, first, provenance } = data;
  return [`${fingerprint}@${stream}`, { org, fingerprint, origin: first ?? provenance }];
}

/** Which of two reports came first: by time, then id; not by the order in which they reach a view. */
export function firstOf(a: Origin | null, b: Origin | null): Origin | null {
  if (a === null || b === null) return a ?? b;
  if (a.reportedAt !== b.reportedAt) return a.reportedAt < b.reportedAt ? a : b;
  return a.artifactId <= b.artifactId ? a : b;
}

/** One row a fingerprint, under the name of its earliest instance. */
function earliest(changes: readonly SnapshotChange[]): SnapshotChange {
  return changes.reduce((first, next) => {
    const order = next.since.deployedAt - first.since.deployedAt || byKey(next, first);
    return order < 0 ? next : first;
  });
}
