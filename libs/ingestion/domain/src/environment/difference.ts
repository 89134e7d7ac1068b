import type { ArtifactKey, InstanceContext } from '@assurance/contracts-events';
import { knownTime, mapSteps, type Steps } from '@assurance/kernel';
import { byKey, type Environment, type Running } from '@assurance/model';

/** An artifact as a report says it: one creation time an instance, in epoch seconds, ascending; 0 where unknown. */
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

/** Turns a report's items into artifacts with their instances, in the order of `byKey`. */
export function* collect(items: readonly ReportItem[]): Steps<Reported[]> {
  const all: Reported[] = [];
  yield* mapSteps(items, ({ digests, creationTimestamp, context }) => {
    const created = knownTime(creationTimestamp) ?? 0;
    for (const [name, fingerprint] of digests) {
      const one = { fingerprint, name, instances: [created] };
      all.push(context === undefined ? one : { ...one, contexts: [context] });
    }
  });
  all.sort(byKey);
  yield;
  // The instances of one artifact are neighbours now.
  const artifacts: Reported[] = [];
  let first = 0;
  yield* mapSteps(all, (one, at) => {
    const next = all[at + 1];
    if (next !== undefined && byKey(one, next) === 0) return;
    artifacts.push(first === at ? one : united(all.slice(first, at + 1)));
    first = at + 1;
  });
  return artifacts;
}

function united(same: readonly Reported[]): Reported {
  const [{ fingerprint, name }] = same as [Reported];
  const oldestFirst = [...same].sort((a, b) => (a.instances[0] ?? 0) - (b.instances[0] ?? 0));
  const contexts = oldestFirst.flatMap((one) => one.contexts ?? []);
  const instances = oldestFirst.flatMap((one) => one.instances);
  return { fingerprint, name, instances, ...(contexts.length === 0 ? {} : { contexts }) };
}

/** The difference between a report and the running artifacts. */
export interface Difference {
  readonly started: readonly Reported[];
  readonly exited: readonly Running[];
  /** Running artifacts whose number of instances changed, and the new number. Empty unless the environment includes scaling. */
  readonly scaled: readonly { readonly before: Running; readonly now: Reported }[];
}

/** The difference that a report makes. After a change of the environment's type the comparison starts from nothing. */
export function* differenceIn(
  { includeScaling, reportedAs }: Pick<Environment, 'includeScaling' | 'reportedAs'>,
  running: readonly Running[],
  reported: readonly Reported[],
): Steps<Difference> {
  if (reportedAs !== undefined) return { started: reported, exited: running, scaled: [] };
  return yield* differenceOf(running, reported, includeScaling);
}

/**
 * Compares by (fingerprint, name); counts matter only where the environment includes scaling.
 *
 * @param reported each artifact once
 */
export function* differenceOf(
  running: readonly Running[],
  reported: readonly Reported[],
  includeScaling: boolean,
): Steps<Difference> {
  // With both lists in one order, one pass needs no map of thousands of artifacts. Most lists are in order, and sorting these takes one pass, too.
  const before = [...running].sort(byKey);
  const after = [...reported].sort(byKey);
  yield;
  const [started, gone]: [Reported[], Set<Running>] = [[], new Set()];
  const scaled: { before: Running; now: Reported }[] = [];
  let at = 0;
  yield* mapSteps(after, (now) => {
    let artifact = before[at];
    for (; artifact !== undefined && byKey(artifact, now) < 0; artifact = before[at]) {
      gone.add(artifact);
      at += 1;
    }
    if (artifact === undefined || byKey(artifact, now) > 0) {
      started.push(now);
      return;
    }
    at += 1;
    if (includeScaling && artifact.instances.length !== now.instances.length) scaled.push({ before: artifact, now });
  });
  for (const artifact of before.slice(at)) gone.add(artifact);
  return { started, exited: gone.size === 0 ? [] : running.filter((one) => gone.has(one)), scaled };
}

/** How many artifacts a snapshot made of this would list as changed. */
export function sizeOf({ started, exited, scaled }: Difference): number {
  return started.length + exited.length + scaled.length;
}
