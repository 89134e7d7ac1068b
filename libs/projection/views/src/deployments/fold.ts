import type { ArtifactReported, EventMeta, SnapshotChange, SnapshotRecorded } from '@assurance/contracts-events';
import { keyOf } from '@assurance/contracts-events';
import { baseName, byKey } from '@assurance/model-environment';
import type { DepartureRow, DeploymentRow, Origin, ReportRow } from './rows';

/** Rows by their deterministic ids: the same event makes the same rows. */
export type Rows<T> = ReadonlyMap<string, T>;

/** The deployments and departures of a snapshot, without origin. */
export function rowsOf(
  { data }: SnapshotRecorded,
  { org, stream, seq }: EventMeta,
): { readonly deployments: Rows<DeploymentRow>; readonly departures: Rows<DepartureRow> } {
  const environment = keyOf(stream);
  const { snapshot, environment: environmentName } = data;
  const deployments = new Map<string, DeploymentRow>();
  const departures = new Map<string, DepartureRow>();
  for (const [fingerprint, changes] of byFingerprint(data.changes)) {
    const row = { org, environment, snapshot, fingerprint, origin: null };
    const arrived = changes.filter(({ now }) => now > 0);
    const [left] = changes;
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
    } else if (left !== undefined) {
      const { name, since } = left;
      departures.set(`${environment}/${snapshot}/${fingerprint}`, {
        ...row,
        name,
        base: baseName(name),
        since: since.snapshot,
      });
    }
  }
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

/** Changes in which a fingerprint came or went under all its names, by fingerprint. */
function byFingerprint(changes: readonly SnapshotChange[]): Map<string, SnapshotChange[]> {
  const found = new Map<string, SnapshotChange[]>();
  for (const change of changes) {
    if (!change.wholly) continue;
    const same = found.get(change.fingerprint);
    if (same === undefined) found.set(change.fingerprint, [change]);
    else same.push(change);
  }
  return found;
}

/** One row a fingerprint, under the name of its earliest instance. */
function earliest(changes: readonly SnapshotChange[]): SnapshotChange {
  return changes.reduce((first, next) => {
    const order = next.since.deployedAt - first.since.deployedAt || byKey(next, first);
    return order < 0 ? next : first;
  });
}
