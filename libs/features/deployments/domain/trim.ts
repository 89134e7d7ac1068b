import { groupBy } from '@assurance/kernel';
import type { Draft, LiveDeployment } from './draft';
import type { Line } from './lines';
import { byStart, type LiveDeployments } from './live-deployments';
import { continuesFrom, isOneRun, isOver, LaterDeployments } from './over';
import { settle, settledUntil } from './settle';

/** The most artifacts of a base name that are kept after they left. */
const DEPARTURES_MAX = 100;

/**
 * Forgets what decides nothing any more of a group.
 *
 * @param isLarge whether it is too large to compare all with all
 */
export function trimGroup(live: LiveDeployments, lines: ReadonlySet<Line>, draft: Draft, isLarge: boolean): void {
  const { moment, over } = draft;
  const all = live.byLine.of(lines).sort(byStart);
  settle(all, settledUntil(all, moment.at));
  const group = {
    starts: isLarge ? [] : all.map(({ start }) => start.snapshot),
    undecided: new Set(all.flatMap(({ id, isDepartureSettled }) => (isDepartureSettled ? [] : [id]))),
  };
  const byFingerprint = groupBy(all, ({ fingerprint }) => fingerprint);
  for (const [fingerprint, own] of byFingerprint) {
    let left = live.byFingerprint.get(fingerprint)?.length ?? 0;
    const later = new LaterDeployments(own);
    let previous: LiveDeployment | undefined;
    for (const deployment of own) {
      const next = later.after(deployment);
      if (previous !== undefined && isOneRun(previous, deployment, next, group)) {
        previous.end = deployment.end;
        left -= 1;
        over.add(deployment);
        continue;
      }
      const isFollowing = previous !== undefined && continuesFrom(deployment, previous);
      // The newest one tells when the artifact left last.
      const isNeeded = next === undefined && left > 1;
      if (isFollowing || isNeeded || !isOver(deployment, later, group)) {
        previous = deployment;
        continue;
      }
      if (next !== undefined && continuesFrom(next, deployment)) next.runSince = deployment.runSince;
      left -= 1;
      over.add(deployment);
    }
  }
  live.removeAll(all.filter((deployment) => over.has(deployment)));
  forgetOldest(
    live,
    [...byFingerprint.keys()].flatMap((fingerprint) => {
      const own = live.byFingerprint.get(fingerprint);
      return own === undefined ? [] : [own];
    }),
    draft,
  );
}

/** Forgets settled artifacts that left, but for those of each base name that left last. */
export function forgetOldest(
  live: LiveDeployments,
  fingerprints: Iterable<readonly LiveDeployment[]>,
  { over }: Draft,
): void {
  const gone = [...fingerprints].filter((own) => own.every(isGone));
  for (const own of groupBy(gone, ([deployment]) => deployment?.looks[0]?.base).values()) {
    if (own.length <= DEPARTURES_MAX) continue;
    own.sort((a, b) => endOf(b) - endOf(a));
    const oldest = own.slice(DEPARTURES_MAX).flat();
    for (const deployment of oldest) over.add(deployment);
    live.removeAll(oldest);
  }
}

function isGone({ end, isSettled, isDepartureSettled }: LiveDeployment): boolean {
  return end !== null && isSettled && isDepartureSettled;
}

function endOf(own: readonly LiveDeployment[]): number {
  return own.at(-1)?.end?.snapshot ?? Infinity;
}
