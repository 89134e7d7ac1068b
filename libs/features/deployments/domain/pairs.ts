import { compareTexts, getOrInsert, groupBy } from '@assurance/kernel';
import { DAY, type DeploymentFacts, type Moment } from './deployment';
import { areOtherJobs, type Line, type Look, shareWorkload } from './lines';

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

/** How well a departure and a deployment match. */
interface Rank {
  readonly isSharedWorkload: boolean;
  readonly isSameName: boolean;
  readonly isStartedHere: boolean;
}

const BETTER_FIRST = [true, false];
/** Best first. */
const RANKS: readonly Rank[] = BETTER_FIRST.flatMap((isSharedWorkload) =>
  BETTER_FIRST.flatMap((isSameName) =>
    BETTER_FIRST.map((isStartedHere) => ({ isSharedWorkload, isSameName, isStartedHere })),
  ),
);

interface Departure<T> {
  readonly departure: T;
  readonly look: Look;
  readonly end: Moment;
  readonly past: Past<T>;
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
  const free = new Map<Line, Departure<T>[]>();
  for (const departure of departures.toSorted(byNewest)) {
    const [look, end] = [departure.looks.at(-1), departure.end];
    if (look === undefined || end === null) continue;
    getOrInsert(free, look.line, () => []).push({ departure, look, end, past: pastOf(departure) });
  }
  const candidates = open.toSorted((a, b) => byNewest(a.deployment, b.deployment));
  const matched = new Map<T, T>();
  const lines = [...free];
  for (const ranked of RANKS) {
    for (const { deployment, present } of candidates) {
      if (matched.has(deployment)) continue;
      const match = bestDeparture(lines, deployment, present, ranked);
      if (match !== null) matched.set(deployment, match);
    }
  }
  return [...matched].map(([deployment, departure]) => [departure, deployment]);
}

/** Matches many departures of one snapshot with open deployments, the newest start with the newest start of the same line. */
export function matchInOrder<T extends PairCandidate>(
  departures: readonly T[],
  open: readonly T[],
): readonly (readonly [departure: T, deployment: T])[] {
  const pairs: [T, T][] = [];
  const lineOf = ({ looks }: T) => looks.at(-1)?.line;
  const openByLine = groupBy(open.toSorted(byNewest), lineOf);
  for (const [line, own] of groupBy(departures.toSorted(byNewest), lineOf)) {
    if (line === undefined || line.related.size === 0) continue;
    const candidates = openByLine.get(line) ?? [];
    let taken = 0;
    for (const departure of own) {
      const [deployment, look] = [candidates[taken], departure.looks.at(-1)];
      if (deployment === undefined) break;
      // If the newest one that is left had started before, all others had.
      if (look?.hasOnlyJobs === true || deployment.start.snapshot <= departure.start.snapshot) continue;
      pairs.push([departure, deployment]);
      taken += 1;
    }
  }
  return pairs;
}

/** Takes the newest departure that a deployment may complete with a rank. */
function bestDeparture<T extends PairCandidate>(
  free: readonly (readonly [Line, Departure<T>[]])[],
  deployment: T,
  present: T,
  { isSharedWorkload, isSameName, isStartedHere }: Rank,
): T | null {
  let best: { readonly departures: Departure<T>[]; readonly place: number } | null = null;
  for (const [line, departures] of free) {
    const [{ end }] = departures.length > 0 ? (departures as [Departure<T>]) : [{ end: null }];
    if (end === null || isStartedHere !== (deployment.start.snapshot === end.snapshot)) continue;
    const own = lookIn(present, end.snapshot);
    if (own === undefined || !line.related.has(own.line)) continue;
    if (isSameName !== (own.base === line.artifact.base) || (isSharedWorkload && own.workloads === null)) continue;
    const place = departures.findIndex(
      ({ departure, look, past }) =>
        departure.fingerprint !== deployment.fingerprint &&
        shareWorkload(look, own) === isSharedWorkload &&
        (isSharedWorkload || !areOtherJobs(look, own)) &&
        isOpenTo(deployment, past, end),
    );
    const [found, former] = [departures[place]?.departure, best?.departures[best.place]?.departure];
    if (found !== undefined && (former === undefined || byNewest(found, former) < 0)) best = { departures, place };
  }
  return best === null ? null : (best.departures.splice(best.place, 1)[0]?.departure ?? null);
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

/** The newest start first, then by name and fingerprint. */
function byNewest(a: PairCandidate, b: PairCandidate): number {
  return (
    b.deployedAt - a.deployedAt ||
    compareTexts(a.looks[0]?.name ?? '', b.looks[0]?.name ?? '') ||
    compareTexts(a.fingerprint, b.fingerprint)
  );
}
