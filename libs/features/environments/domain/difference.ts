import type { Environment, Running } from '@assurance/contracts/environments/documents';
import type { ArtifactKey, InstanceContext } from '@assurance/contracts/environments/events';
import { groupBy, plausibleTime } from '@assurance/kernel';
import { byKey } from './runs';

/** An artifact of a report, with the creation time of each instance in epoch seconds, ascending; 0 where unknown. */
export interface Reported extends ArtifactKey {
  readonly instances: readonly number[];
  /** Further details of each instance, in the order of `instances`. Absent for kinds of reports without details. They are never compared. */
  readonly contexts?: readonly InstanceContext[];
}

/** One item of a report: what one container, pod or task runs. */
export interface ReportItem {
  /** The same (name, digest) in several items is several instances. */
  readonly digests: readonly (readonly [name: string, fingerprint: string])[];
  readonly creationTimestamp: number;
  /** Either all items of a report have it or none. */
  readonly context?: InstanceContext;
}

/** One artifact for each digest of an item, with the item's one instance. */
export function instancesOf({ digests, creationTimestamp, context }: ReportItem): Reported[] {
  const instances = [plausibleTime(creationTimestamp) ?? 0];
  const contexts = context === undefined ? {} : { contexts: [context] };
  return digests.map(([name, fingerprint]) => ({ fingerprint, name, instances, ...contexts }));
}

/** Merges the instances of each artifact, in the order of `byKey`. */
export function mergeInstances(instances: readonly Reported[]): Reported[] {
  const all = [...instances].sort(byKey);
  // The instances of one artifact are neighbours now.
  const artifacts: Reported[] = [];
  let first = 0;
  all.forEach((reported, at) => {
    const next = all[at + 1];
    if (next !== undefined && byKey(reported, next) === 0) return;
    artifacts.push(first === at ? reported : uniteArtifact(all.slice(first, at + 1)));
    first = at + 1;
  });
  return artifacts;
}

function uniteArtifact(same: readonly Reported[]): Reported {
  const [{ fingerprint, name }] = same as [Reported];
  const oldestFirst = [...same].sort((a, b) => (a.instances[0] ?? 0) - (b.instances[0] ?? 0));
  const contexts = oldestFirst.flatMap((reported) => reported.contexts ?? []);
  const instances = oldestFirst.flatMap((reported) => reported.instances);
  return { fingerprint, name, instances, ...(contexts.length === 0 ? {} : { contexts }) };
}

/** The difference between a report and the running artifacts. A fingerprint is one artifact, even if it has several names. */
export interface Difference {
  readonly started: readonly Reported[];
  readonly exited: readonly Running[];
  /** Running artifacts whose number of instances changed. Empty unless the environment includes scaling. */
  readonly scaled: readonly ScaledArtifact[];
  /** Artifacts that keep running under the same single name, except those in `scaled`. */
  readonly continued: readonly (readonly [before: Running, now: Reported])[];
  /** Artifacts that keep running under several names, or under a new name. */
  readonly renamed: readonly RenamedArtifact[];
}

export interface ScaledArtifact {
  readonly before: Running;
  readonly now: Reported;
  /** Instances before, under all names. */
  readonly previousCount: number;
  readonly count: number;
}

interface RenamedArtifact {
  readonly before: readonly [Running, ...Running[]];
  readonly now: readonly [Reported, ...Reported[]];
}

/** The difference that a report makes. After a change of the environment's type, everything counts as new. */
export function differenceIn(
  { includeScaling, reportedAs }: Pick<Environment, 'includeScaling' | 'reportedAs'>,
  runningArtifacts: readonly Running[],
  reportedArtifacts: readonly Reported[],
): Difference {
  if (reportedAs !== undefined)
    return { started: reportedArtifacts, exited: runningArtifacts, scaled: [], continued: [], renamed: [] };
  return differenceOf(runningArtifacts, resolveUnknownDigests(runningArtifacts, reportedArtifacts), includeScaling);
}

/**
 * A report in which items without a digest are instances of the artifacts that run under the same name. Each such artifact that the report does not
 * contain goes on with one instance at least. The others are shared out to artifacts that lack instances. Without an artifact of the same name, the
 * item stays.
 */
function resolveUnknownDigests(
  runningArtifacts: readonly Running[],
  reportedArtifacts: readonly Reported[],
): readonly Reported[] {
  const itemsWithoutDigest = reportedArtifacts.filter(({ fingerprint }) => fingerprint === '');
  if (itemsWithoutDigest.length === 0) return reportedArtifacts;
  const candidates = reportedArtifacts.filter(({ fingerprint }) => fingerprint !== '');
  const names = new Set(candidates.map(({ name }) => name));
  const counts = groupBy(candidates, ({ fingerprint }) => fingerprint);
  const runs = groupBy(
    runningArtifacts.filter(({ fingerprint }) => fingerprint !== ''),
    ({ name }) => name,
  );
  const before = groupBy([...runs.values()].flat(), ({ fingerprint }) => fingerprint);
  const missingCounts = new Map([...before].map(([of, all]) => [of, countOf(all) - countOf(counts.get(of) ?? [])]));
  const resolved = itemsWithoutDigest.flatMap((item): readonly Reported[] => {
    const sameName = runs.get(item.name) ?? [];
    if (sameName.length === 0) return names.has(item.name) ? [] : [item];
    const unreportedArtifacts = sameName.filter(({ fingerprint }) => !counts.has(fingerprint));
    return shareInstances(item, { sameName, unreportedArtifacts, missingCounts });
  });
  return mergeInstances([...candidates, ...resolved].flatMap(splitInstances));
}

interface NameMatches {
  /** The artifacts that run under a name. */
  readonly sameName: readonly Running[];
  /** Those of them that the report does not contain. */
  readonly unreportedArtifacts: readonly Running[];
  /** How many instances each artifact lacks, by fingerprint. It is updated. */
  readonly missingCounts: Map<string, number>;
}

/** The instances of an item without a digest. What no artifact lacks belongs to the first that goes on, and is left out if none does. */
function shareInstances(
  item: Reported,
  { sameName, unreportedArtifacts, missingCounts }: NameMatches,
): readonly Reported[] {
  const singles = splitInstances(item);
  let lacking = 0;
  const shares = singles.flatMap((single, at) => {
    while (lacking < sameName.length && (missingCounts.get(sameName[lacking]?.fingerprint ?? '') ?? 0) <= 0)
      lacking += 1;
    const target = unreportedArtifacts[at] ?? sameName[lacking] ?? unreportedArtifacts[0];
    if (target === undefined) return [];
    const { fingerprint } = target;
    missingCounts.set(fingerprint, (missingCounts.get(fingerprint) ?? 0) - 1);
    return [{ ...single, fingerprint }];
  });
  const [first = item] = singles;
  return [
    ...shares,
    ...unreportedArtifacts.slice(singles.length).map(({ fingerprint }) => ({ ...first, fingerprint })),
  ];
}

/** An artifact once for each of its instances. */
function splitInstances(reported: Reported): readonly Reported[] {
  const { instances, contexts, ...key } = reported;
  if (instances.length === 1) return [reported];
  return instances.map((instance, at) => ({
    ...key,
    instances: [instance],
    ...(contexts === undefined ? {} : { contexts: contexts.slice(at, at + 1) }),
  }));
}

/**
 * Compares by fingerprint, or by name if the digest is unknown. Instance counts matter only if the environment includes scaling.
 *
 * @param reportedArtifacts each artifact once
 */
export function differenceOf(
  runningArtifacts: readonly Running[],
  reportedArtifacts: readonly Reported[],
  includeScaling: boolean,
): Difference {
  // With both lists in one order, one pass needs no map of thousands of artifacts. Most lists are in order, and sorting these takes one pass, too.
  const before = [...runningArtifacts].sort(byKey);
  const after = [...reportedArtifacts].sort(byKey);
  const [started, ended]: [Reported[], Set<Running>] = [[], new Set()];
  const [scaled, continued, renamed]: [ScaledArtifact[], [Running, Reported][], RenamedArtifact[]] = [[], [], []];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [previous, reported] = [before[i], after[j]];
    const order = previous === undefined ? 1 : reported === undefined ? -1 : byIdentity(previous, reported);
    if (previous !== undefined && order < 0) {
      ended.add(previous);
      i += 1;
    } else if (reported !== undefined && order > 0) {
      started.push(reported);
      j += 1;
    } else if (previous !== undefined && reported !== undefined) {
      const [iEnd, jEnd] = [endOf(before, i), endOf(after, j)];
      if (iEnd === i + 1 && jEnd === j + 1 && previous.name === reported.name) {
        const [previousCount, count] = [previous.instances.length, reported.instances.length];
        if (includeScaling && previousCount !== count)
          scaled.push({ before: previous, now: reported, previousCount, count });
        else continued.push([previous, reported]);
      } else {
        renamed.push({
          before: [previous, ...before.slice(i + 1, iEnd)],
          now: [reported, ...after.slice(j + 1, jEnd)],
        });
      }
      [i, j] = [iEnd, jEnd];
    }
  }
  if (includeScaling) scaled.push(...renamed.flatMap(scaledUnder));
  return {
    started,
    exited: ended.size === 0 ? [] : runningArtifacts.filter((candidate) => ended.has(candidate)),
    scaled,
    continued,
    renamed,
  };
}

/** The changed counts of an artifact with several or new names. If the names differ, one entry has the sums of all names. */
function scaledUnder({ before, now }: RenamedArtifact): ScaledArtifact[] {
  const [previousCount, count] = [countOf(before), countOf(now)];
  if (previousCount === count) return [];
  const pairs = now.map((reported) => ({ before: before.find(({ name }) => name === reported.name), now: reported }));
  if (before.length !== now.length || pairs.some((pair) => pair.before === undefined)) {
    const [first] = now;
    return [{ before: { ...before[0], name: first.name }, now: first, previousCount, count }];
  }
  return pairs.flatMap(({ before: running, now }) => {
    if (running === undefined || running.instances.length === now.instances.length) return [];
    return [{ before: running, now, previousCount: running.instances.length, count: now.instances.length }];
  });
}

function countOf(all: readonly { readonly instances: readonly number[] }[]): number {
  return all.reduce((sum, { instances }) => sum + instances.length, 0);
}

function byIdentity(a: ArtifactKey, b: ArtifactKey): number {
  if (a.fingerprint === b.fingerprint) return a.fingerprint === '' ? byKey(a, b) : 0;
  return a.fingerprint < b.fingerprint ? -1 : 1;
}

/** The index after the last name of the artifact at an index of a sorted list. */
function endOf(sorted: readonly ArtifactKey[], from: number): number {
  const fingerprint = sorted[from]?.fingerprint;
  let end = from + 1;
  while (fingerprint !== '' && sorted[end]?.fingerprint === fingerprint) end += 1;
  return end;
}

/** How many artifacts a snapshot with this difference would list as changed. */
export function sizeOf({ started, exited, scaled }: Difference): number {
  return started.length + exited.length + scaled.length;
}
