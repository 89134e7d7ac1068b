import { type Candidate, continuesRun } from './decide';
import { DAY } from './deployment';
import type { LiveDeployment } from './draft';
import { isOneLine, type Look } from './lines';

/**
 * The moment up to which nothing can change any more in a group: what started or left before it is settled.
 *
 * A departure is settled a day later, when the artifact did not return. A return is settled when what ran meanwhile and left within a day of it is.
 * Everything is settled before a day in which nothing of the group came or left.
 *
 * @param all the deployments of the group, oldest first
 * @param at when the newest snapshot was observed (milliseconds)
 * @returns milliseconds; exclusive
 */
export function settledUntil(all: readonly Candidate[], at: number): number {
  return Math.max(lastQuietDay(all, at), horizonOf(all, at) - DAY);
}

/** Settles what started or left before a moment (milliseconds). */
export function settle(all: readonly LiveDeployment[], until: number): void {
  for (const deployment of all) {
    if (deployment.start.at < until) deployment.isSettled = true;
    if (deployment.end !== null && deployment.end.at < until) deployment.isDepartureSettled = true;
  }
}

/** The end of the last change before a quiet day, exclusive. */
function lastQuietDay(all: readonly Candidate[], at: number): number {
  const times = all.flatMap(({ start, end, appearances }) => [
    start.at,
    ...(appearances.length > 1 ? appearances.map(({ from }) => from.at) : []),
    ...(end === null ? [] : [end.at]),
  ]);
  times.sort((a, b) => b - a);
  let later = at;
  for (const time of times) {
    if (later - time > DAY) return time + 1;
    later = time;
  }
  return -Infinity;
}

/** The earliest departure or return that is not settled. */
function horizonOf(all: readonly Candidate[], at: number): number {
  const continued = new Map<string, Candidate>();
  const isOpen = new Map<Candidate, boolean>();
  let horizon = at;
  const isDepartureOpen = (deployment: Candidate): boolean => {
    if (deployment.end === null || deployment.isDepartureSettled) return false;
    const next = continued.get(`${deployment.end.snapshot}/${deployment.fingerprint}`);
    if (next === undefined) return at - deployment.end.at <= DAY;
    // Where the return is a restart, the departure is that of the run.
    return isOpen.get(next) === true || isDepartureOpen(next);
  };
  for (const deployment of all)
    if (deployment.previousEnd !== null && continuesRun(deployment))
      continued.set(`${deployment.previousEnd.snapshot}/${deployment.fingerprint}`, deployment);
  for (const deployment of all.toReversed()) {
    const { start, previousEnd } = deployment;
    if (previousEnd === null || deployment.isSettled) continue;
    const open =
      at - start.at <= DAY ||
      all.some(
        (other) =>
          other.end !== null &&
          other.end.at - start.at <= DAY &&
          ranBeside(deployment, other) &&
          isDepartureOpen(other),
      );
    isOpen.set(deployment, open);
    if (open) horizon = Math.min(horizon, start.at);
  }
  for (const deployment of all)
    if (deployment.end !== null && isDepartureOpen(deployment)) horizon = Math.min(horizon, deployment.end.at);
  return horizon;
}

/** Whether another one of its line ran while a return was away. */
export function ranBeside({ fingerprint, previousEnd, start, looks: [look] }: Candidate, other: Candidate): boolean {
  if (other.fingerprint === fingerprint || other.start.snapshot >= start.snapshot) return false;
  if (previousEnd === null || look === undefined) return false;
  if (other.end !== null && other.end.snapshot <= previousEnd.snapshot) return false;
  return other.looks.some((appearance, i) => isSeen(look, appearance, other, i, previousEnd.snapshot, start.snapshot));
}

function isSeen(
  look: Look,
  appearance: Look,
  { appearances }: Candidate,
  i: number,
  from: number,
  to: number,
): boolean {
  const next = appearances[i + 1]?.from.snapshot ?? Infinity;
  return next > from && (appearances[i]?.from.snapshot ?? 0) < to && isOneLine(look, appearance);
}
