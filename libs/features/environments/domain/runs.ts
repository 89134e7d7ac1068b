import { Outcome, Running } from '@assurance/contracts/environments/documents';
import {
  type ArtifactKey,
  type InstanceContext,
  ORDERED_DETAILS,
  type RefreshedArtifact,
  type SnapshotChange,
} from '@assurance/contracts/environments/events';
import { compareTexts, sha256 } from '@assurance/kernel';

/** The recorded fields of an artifact that decisions need. */
type RecordedArtifact = Pick<
  SnapshotChange,
  'fingerprint' | 'name' | 'instances' | 'since' | 'flows' | 'compliant' | 'failing'
> &
  Pick<SnapshotChange, 'contexts' | 'startedAs'>;

/** The running artifact after a snapshot recorded these fields. */
export function runningOf(recorded: RecordedArtifact): Running {
  const { fingerprint, name, instances, since, flows, compliant, failing = [] } = recorded;
  const judged = compliant === null ? undefined : { compliant, failing };
  return running({ fingerprint, name, instances, since, known: flows.length, judged }, recorded);
}

/** The running artifact after a snapshot refreshed it. */
export function runningAfterRefresh(refreshed: RefreshedArtifact): Running {
  const { fingerprint, name, instances, since, known, judged } = refreshed;
  return running({ fingerprint, name, instances, since, known, judged }, refreshed);
}

function running(
  { judged, ...runs }: Omit<Running, 'judged'> & { readonly judged: Outcome | undefined },
  { contexts, startedAs }: Pick<SnapshotChange, 'contexts' | 'startedAs'>,
): Running {
  return {
    ...runs,
    ...(judged === undefined ? {} : { judged }),
    ...(startedAs === undefined ? {} : { startedAs }),
    ...(contexts === undefined ? {} : { contextsKey: contextsKey(contexts) }),
  };
}

/** A hash of the details of instances (53 bits). If it differs, the details are recorded again. It is not a proof. */
export function contextsKey(contexts: readonly InstanceContext[]): string {
  const text = JSON.stringify(contexts.map(valuesOf));
  let [low, high] = [0x9e3779b9, 0x85ebca6b];
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x9e3779b1);
    high = Math.imul(high ^ code, 0x5f356495);
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  return (0x100000000 * (high & 0x1fffff) + (low >>> 0)).toString(36);
}

/** Values in a fixed order, because stored details have their fields in another order than a report. The last ones are left out if they are unset. */
function valuesOf<Of extends InstanceContext['of']>(context: InstanceContext<Of>): readonly unknown[] {
  // During a rolling update a newer process may have recorded another kind.
  const values = Object.values(ORDERED_DETAILS[context.of]?.(context) ?? {});
  while (values.length > 0 && values.at(-1) === undefined) values.pop();
  return values;
}

/** The order in which artifacts are compared and listed: by fingerprint, then name, by UTF-16 code units. */
export function byKey(a: ArtifactKey, b: ArtifactKey): number {
  return compareTexts(a.fingerprint, b.fingerprint) || compareTexts(a.name, b.name);
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

type RunningInstances = Pick<Running, 'fingerprint' | 'name' | 'instances'>;

/** What identifies an artifact. Commits of earlier versions have digests by `name`: by fingerprint and name. */
export type Identity = 'fingerprint' | 'name';

/**
 * Digests of a set of running artifacts. Its order does not matter. Every commit of an environment stores them.
 *
 * @param computedDigests the digests that are computed already, because a digest of many artifacts takes a millisecond
 */
export function runsDigests(
  artifacts: readonly RunningInstances[],
  computedDigests: Partial<RunsDigests> = {},
  identity: Identity = 'fingerprint',
): RunsDigests {
  const sorted = [...artifacts].sort(byKey);
  return {
    runs: computedDigests.runs ?? digestOfSorted(sorted, 'runs', identity),
    runsCounted: computedDigests.runsCounted ?? digestOfSorted(sorted, 'runsCounted', identity),
  };
}

/** Computes one of the two digests, for callers that compare only that one. */
export function runsDigest(
  artifacts: readonly RunningInstances[],
  which: keyof RunsDigests,
  identity: Identity = 'fingerprint',
): string {
  return digestOfSorted([...artifacts].sort(byKey), which, identity);
}

/** The compared parts of an artifact: its fingerprint, its name if that identifies it, and its instance count if counts matter. */
type ComparedValues = (string | number)[];

function digestOfSorted(sorted: readonly RunningInstances[], which: keyof RunsDigests, identity: Identity): string {
  const compared =
    identity === 'name' ? sorted.map((candidate) => comparedOf(candidate, which)) : digestValues(sorted, which);
  // For texts and integers, `JSON.stringify` writes canonical JSON and is three times as fast. One call for many artifacts is faster than many calls.
  return sha256(JSON.stringify(compared));
}

function comparedOf({ fingerprint, name, instances }: RunningInstances, which: keyof RunsDigests): ComparedValues {
  return which === 'runs' ? [fingerprint, name] : [fingerprint, name, instances.length];
}

/** All names of a fingerprint are one artifact. An item without a digest is an artifact of its own, unless an artifact has the same name. */
function digestValues(sorted: readonly RunningInstances[], which: keyof RunsDigests): ComparedValues[] {
  const hasUnknown = sorted[0]?.fingerprint === '';
  const knownNames = new Set(
    hasUnknown ? sorted.flatMap(({ fingerprint, name }) => (fingerprint === '' ? [] : [name])) : [],
  );
  const all: ComparedValues[] = [];
  let [before, count] = ['', 0];
  for (const candidate of sorted) {
    const { fingerprint, name, instances } = candidate;
    if (fingerprint === '') {
      if (!knownNames.has(name)) all.push(comparedOf(candidate, which));
      continue;
    }
    count = fingerprint === before ? count + instances.length : instances.length;
    if (fingerprint === before) all.pop();
    all.push(which === 'runs' ? [fingerprint] : [fingerprint, count]);
    before = fingerprint;
  }
  return all;
}
