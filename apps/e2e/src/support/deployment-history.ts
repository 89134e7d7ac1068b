import { modelDeployments } from '@assurance/testing/deployments/model';

/** Where an artifact comes from. */
export interface From {
  readonly repo: string | null;
  readonly flow: string;
  readonly template: string;
}

/** What runs after a report: names and starts (epoch seconds) by fingerprint. */
export interface ExpectedSnapshot {
  /** When it was observed (epoch seconds). */
  readonly at: number;
  /** Whether no report came before. */
  readonly isFirstReport: boolean;
  readonly runs: ReadonlyMap<string, { readonly name: string; readonly start: number }>;
}

export interface ExpectedDeployment {
  readonly snapshot: number;
  readonly fingerprint: string;
  readonly name: string;
  readonly start: number;
  readonly kind: string;
  /** What it replaced, and the last snapshot of that. */
  readonly replaced: { readonly fingerprint: string; readonly snapshot: number } | null;
}

/** @param snapshots snapshot 1 first; each has another set of fingerprints than the one before */
export function expectedDeployments(
  snapshots: readonly ExpectedSnapshot[],
  fromOf: (fingerprint: string) => From | null,
): ExpectedDeployment[] {
  const reports = snapshots.map(({ at, runs }) => ({
    at,
    items: [...runs].map(([fingerprint, { name, start }]) => ({
      fingerprint,
      name,
      startedAt: start,
      workloads: null,
      namespaces: null,
    })),
  }));
  const [first] = snapshots;
  // A first report of nothing makes no snapshot.
  const empty = first === undefined || first.isFirstReport ? [] : [{ at: first.at - 1, items: [] }];
  // The model numbers what differs from the report before. Each report here is a snapshot.
  const textOf = (runs: ExpectedSnapshot['runs'] | undefined) => [...(runs?.keys() ?? [])].sort().join();
  const numbers = snapshots.flatMap(({ runs }, i) => {
    const before = i === 0 ? (empty.length === 0 ? null : '') : textOf(snapshots[i - 1]?.runs);
    return textOf(runs) === before ? [] : [i + 1];
  });
  const numberOf = (snapshot: number) => numbers[snapshot - empty.length - 1] ?? 0;
  return modelDeployments([...empty, ...reports], fromOf).map((deployment) => {
    const { snapshot, fingerprint, name, deployedAt, kind, replaced } = deployment;
    return {
      snapshot: numberOf(snapshot),
      fingerprint,
      name,
      start: deployedAt,
      kind,
      replaced: replaced && {
        fingerprint: replaced.fingerprint,
        snapshot: numberOf(replaced.snapshotIndex + 1) - 1,
      },
    };
  });
}

/** A report, as its reporter looked: creation times of instances (epoch seconds) by fingerprint. */
export interface ObservedReport {
  readonly at: number;
  readonly runs: ReadonlyMap<string, { readonly name: string; readonly created: readonly number[] }>;
}

/**
 * The snapshots that reports make, with starts.
 *
 * @param commitOf the commit's time of a fingerprint, as known when its reports came; null where unknown
 */
export function expectedSnapshots(
  reports: readonly ObservedReport[],
  commitOf: (fingerprint: string) => number | null,
): ExpectedSnapshot[] {
  const snapshots: ExpectedSnapshot[] = [];
  for (const [i, { at, runs }] of reports.entries()) {
    const before = snapshots.at(-1)?.runs ?? new Map<string, { name: string; start: number }>();
    const isSame = runs.size === before.size && [...runs.keys()].every((fingerprint) => before.has(fingerprint));
    if (isSame) continue;
    const previous = reports[i - 1]?.at ?? null;
    const startOf = (fingerprint: string, created: readonly number[]) => {
      const oldest = Math.min(...created.filter((time) => time > 0));
      const boundedTime = Math.min(Math.max(oldest === Infinity ? at : oldest, previous ?? 0), at);
      const commit = commitOf(fingerprint);
      return commit !== null && boundedTime < commit ? at : boundedTime;
    };
    const now = [...runs].map(([fingerprint, { name, created }]) => {
      const start = before.get(fingerprint)?.start ?? startOf(fingerprint, created);
      return [fingerprint, { name, start }] as const;
    });
    snapshots.push({ at, isFirstReport: i === 0, runs: new Map(now) });
  }
  return snapshots;
}
