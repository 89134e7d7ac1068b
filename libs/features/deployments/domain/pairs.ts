import { compareTexts } from '@assurance/kernel';
import { DAY, type DeploymentFacts, type Moment } from './deployment';
import { areOtherJobs, isOneLine, type Look, shareWorkload } from './lines';

/** What pairs compare. */
interface PairCandidate extends DeploymentFacts {
  readonly looks: readonly Look[];
  readonly runSince: number;
}

/** A deployment that may complete a departure, and what runs of it in that snapshot: itself, or a restart that continues its run. */
export interface OpenDeployment<T> {
  readonly deployment: T;
  readonly present: T;
}

interface Pair<T extends PairCandidate> {
  readonly departure: T;
  readonly deployment: T;
  readonly isSharedWorkload: boolean;
  readonly isSameName: boolean;
  readonly isStartedHere: boolean;
}

/** What ran of a departed fingerprint: in the run that ended, and at any time. */
export interface Past<T> {
  readonly run: readonly T[];
  readonly all: readonly T[];
}

/**
 * Matches the departures of one snapshot with open deployments of their lines, best pair first over all departures (specification 4.1).
 *
 * @param departures those of one snapshot, the last of their runs
 * @param open deployments whose runs go on in the snapshot and that replaced nothing; no baseline and no restart
 */
export function matchDepartures<T extends PairCandidate>(
  departures: readonly T[],
  open: readonly OpenDeployment<T>[],
  pastOf: (departure: T) => Past<T>,
): readonly (readonly [departure: T, deployment: T])[] {
  const pairs: Pair<T>[] = [];
  for (const departure of departures) {
    const [look, end] = [departure.looks.at(-1), departure.end];
    if (look === undefined || end === null) continue;
    const past = pastOf(departure);
    for (const { deployment, present } of open) {
      if (deployment.fingerprint === departure.fingerprint || !isOpenTo(deployment, past, end)) continue;
      const own = lookIn(present, end.snapshot);
      if (own === undefined || !isOneLine(look, own)) continue;
      const isSharedWorkload = shareWorkload(look, own);
      if (!isSharedWorkload && areOtherJobs(look, own)) continue;
      const isStartedHere = deployment.start.snapshot === end.snapshot;
      pairs.push({ departure, deployment, isSharedWorkload, isSameName: look.base === own.base, isStartedHere });
    }
  }
  const matched = new Set<T>();
  return pairs.sort(byRank).flatMap(({ departure, deployment }) => {
    if (matched.has(departure) || matched.has(deployment)) return [];
    matched.add(departure).add(deployment);
    return [[departure, deployment] as const];
  });
}

/** Whether a deployment started with the departure or while the departed one ran, and, if it returned, within a day to what ran meanwhile. */
function isOpenTo(deployment: PairCandidate, { run, all }: Past<PairCandidate>, end: Moment): boolean {
  const { start, previousEnd } = deployment;
  if (start.snapshot !== end.snapshot && !run.some((one) => ranIn(one, start.snapshot, start.snapshot))) return false;
  if (previousEnd === null) return true;
  return end.at - start.at <= DAY && all.some((one) => hasRunIn(one, previousEnd.snapshot, start.snapshot - 1));
}

/** The same, or its artifact did before. */
function hasRunIn(deployment: PairCandidate, from: number, to: number): boolean {
  const left = deployment.previousEnd?.snapshot ?? -1;
  return ranIn(deployment, from, to) || (left > from && left <= to + 1);
}

/** Whether it ran in one of some snapshots, both ends included. */
function ranIn({ runSince, end }: PairCandidate, from: number, to: number): boolean {
  return runSince <= to && (end?.snapshot ?? Infinity) > from;
}

function lookIn({ appearances, looks }: PairCandidate, snapshot: number): Look | undefined {
  if (looks.length === 1) return looks[0];
  return looks[appearances.findLastIndex(({ from }) => from.snapshot <= snapshot)];
}

function byRank(a: Pair<PairCandidate>, b: Pair<PairCandidate>): number {
  return (
    Number(b.isSharedWorkload) - Number(a.isSharedWorkload) ||
    Number(b.isSameName) - Number(a.isSameName) ||
    Number(b.isStartedHere) - Number(a.isStartedHere) ||
    byNewest(a.deployment, b.deployment) ||
    byNewest(a.departure, b.departure)
  );
}

/** The newest start first, then by name and fingerprint. */
function byNewest(a: PairCandidate, b: PairCandidate): number {
  return (
    b.deployedAt - a.deployedAt ||
    compareTexts(a.looks[0]?.name ?? '', b.looks[0]?.name ?? '') ||
    compareTexts(a.fingerprint, b.fingerprint)
  );
}
