import { ITEMS_A_STEP, pieces, sha256, sha256OfParts, type Steps } from '@assurance/kernel';
import type { ArtifactKey, RunningArtifact, Since } from '@assurance/contracts-events';

/** An artifact that runs, with what deciding needs of it. */
export interface Running extends ArtifactKey {
  /** Creation time of each instance in epoch seconds; unknown ones as `knownTime` tells. */
  readonly instances: readonly number[];
  readonly since: Since;
  /** In how many flows and trails it was known when a snapshot last recorded it: provenance is only ever added. */
  readonly known: number;
  /** Left out where nothing judged it. */
  readonly judged?: Outcome;
}

/** The result of the verdict on an artifact. A different result makes a new snapshot. */
export interface Outcome {
  readonly compliant: boolean;
  /** Ids of the policies that it does not meet, in the order in which they apply. */
  readonly failing: readonly string[];
}

/** The artifact as it runs after a snapshot recorded this of it. */
export function runningOf({
  fingerprint,
  name,
  instances,
  since,
  flows,
  compliant,
  failing = [],
}: Pick<RunningArtifact, 'fingerprint' | 'name' | 'instances' | 'since' | 'flows' | 'compliant' | 'failing'>): Running {
  const runs = { fingerprint, name, instances, since, known: flows.length };
  return compliant === null ? runs : { ...runs, judged: { compliant, failing } };
}

/** The order in which artifacts are compared and listed: by fingerprint, then name, by UTF-16 code units. */
export function byKey(a: ArtifactKey, b: ArtifactKey): number {
  return compare(a.fingerprint, b.fingerprint) || compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  // Most texts are equal, and equality is found faster than an order.
  return a === b ? 0 : a < b ? -1 : 1;
}

/** One text for one artifact: two have the same only if fingerprint and name are the same. */
export function keyText({ fingerprint, name }: ArtifactKey): string {
  return `${fingerprint}\n${name}`;
}

/** Digests that tell whether two reports are equal: without and with instance counts. */
export interface RunsDigests {
  readonly runs: string;
  readonly runsCounted: string;
}

type Ran = Pick<Running, 'fingerprint' | 'name' | 'instances'>;

/**
 * Digests of a set of running artifacts, whatever its order. On disk in every environment commit.
 *
 * @param known those of the two that are known already: of many artifacts a digest takes a millisecond
 */
export function* runsDigests(artifacts: readonly Ran[], known: Partial<RunsDigests> = {}): Steps<RunsDigests> {
  const sorted = [...artifacts].sort(byKey);
  return {
    runs: known.runs ?? (yield* digestOfSorted(sorted, 'runs')),
    runsCounted: known.runsCounted ?? (yield* digestOfSorted(sorted, 'runsCounted')),
  };
}

/** Computes one of the two digests, for callers that compare only that one. */
export function* runsDigest(artifacts: readonly Ran[], which: keyof RunsDigests): Steps<string> {
  return yield* digestOfSorted([...artifacts].sort(byKey), which);
}

function* digestOfSorted(sorted: readonly Ran[], which: keyof RunsDigests): Steps<string> {
  yield;
  if (sorted.length <= ITEMS_A_STEP) return sha256(compared(sorted, which));
  return yield* sha256OfParts(parts(sorted, which));
}

function* parts(sorted: readonly Ran[], which: keyof RunsDigests): Generator<string> {
  let before = '[';
  for (const some of pieces(sorted, ITEMS_A_STEP)) {
    yield `${before}${compared(some, which).slice(1, -1)}`;
    before = ',';
  }
  yield ']';
}

/** For texts and integers, `JSON.stringify` writes canonical JSON, three times as fast; for many artifacts together faster than one by one. */
function compared(artifacts: readonly Ran[], which: keyof RunsDigests): string {
  return JSON.stringify(
    artifacts.map(({ fingerprint, name, instances }) =>
      which === 'runs' ? [fingerprint, name] : [fingerprint, name, instances.length],
    ),
  );
}
