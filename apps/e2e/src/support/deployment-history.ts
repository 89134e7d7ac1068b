/**
 * What an environment's history means, told naively: everything is compared with everything. It shares no code with the service, so that specs can compare
 * both.
 */

/** Where an artifact comes from. */
export interface From {
  readonly repo: string | null;
  readonly flow: string;
  readonly template: string;
}

/** What runs after a report: names and starts (epoch seconds) by fingerprint. */
export interface ExpectedSnapshot {
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
  const runsIn = (n: number) => snapshots[n - 1]?.runs ?? new Map<string, { name: string; start: number }>();
  const starts = snapshots.flatMap(({ runs, isFirstReport }, i) =>
    [...runs]
      .filter(([fingerprint]) => !runsIn(i).has(fingerprint))
      .map(([fingerprint, { name, start }]) => ({ snapshot: i + 1, fingerprint, name, start, isFirstReport })),
  );
  type Start = (typeof starts)[number];
  const isLater = (a: Start, b: Start) => a.snapshot > b.snapshot || (a.snapshot === b.snapshot && a.start > b.start);
  const newestFirst = (a: Start, b: Start) =>
    isLater(a, b) ? -1 : isLater(b, a) ? 1 : a.fingerprint < b.fingerprint ? -1 : 1;
  const base = ({ name }: { readonly name: string }) => (name.split('@')[0] ?? '').replace(/:[^/]*$/, '');
  const inLine = (a: Start, b: Start) => {
    const [one, other] = [fromOf(a.fingerprint), fromOf(b.fingerprint)];
    if (one === null || other === null || one.repo === null || other.repo === null) return base(a) === base(b);
    const sameTemplate = one.flow === other.flow && one.template === other.template;
    return one.repo === other.repo && (base(a) === base(b) || sameTemplate);
  };
  const kindOf = (start: Start) => {
    if (start.isFirstReport) return 'baseline';
    const before = starts.filter(({ snapshot }) => snapshot < start.snapshot).sort(newestFirst);
    const own = before.filter(({ fingerprint }) => fingerprint === start.fingerprint);
    const [last, first] = [own[0], own.at(-1)];
    if (last === undefined || first === undefined) return 'first';
    const predecessor = before.find((other) => other.fingerprint !== start.fingerprint && inLine(other, start));
    if (predecessor === undefined || !isLater(predecessor, last)) return 'restart';
    const came = before.findLast(({ fingerprint }) => fingerprint === predecessor.fingerprint);
    return came !== undefined && isLater(came, first) ? 'rollback' : 'redeployment';
  };
  const replaced = new Map<Start, { readonly fingerprint: string; readonly snapshot: number }>();
  for (let n = 2; n <= snapshots.length; n += 1) {
    const departures = [...runsIn(n - 1).keys()]
      .filter((fingerprint) => !runsIn(n).has(fingerprint))
      .map((own) => starts.filter((start) => start.fingerprint === own && start.snapshot < n).sort(newestFirst)[0])
      .filter((start) => start !== undefined)
      .sort(newestFirst);
    const left = new Set(departures);
    const give = (departed: Start, candidates: readonly Start[]) => {
      const taker = candidates.filter((start) => !replaced.has(start) && inLine(start, departed)).sort(newestFirst)[0];
      if (taker === undefined || !left.delete(departed)) return;
      replaced.set(taker, { fingerprint: departed.fingerprint, snapshot: n - 1 });
    };
    const come = starts.filter(({ snapshot }) => snapshot === n);
    for (const departed of departures)
      give(
        departed,
        come.filter((start) => base(start) === base(departed)),
      );
    for (const departed of [...left]) give(departed, come);
    for (const departed of [...left]) {
      give(
        departed,
        starts.filter(
          (start) => start.snapshot < n && isLater(start, departed) && start.fingerprint !== departed.fingerprint,
        ),
      );
    }
  }
  return starts.map((countedStart) => {
    const { snapshot, fingerprint, name, start } = countedStart;
    return {
      snapshot,
      fingerprint,
      name,
      start,
      kind: kindOf(countedStart),
      replaced: replaced.get(countedStart) ?? null,
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
    snapshots.push({ isFirstReport: i === 0, runs: new Map(now) });
  }
  return snapshots;
}
