import type { ArtifactKey, InstanceContext } from '@assurance/contracts-events';
import { mapSteps, type Steps } from '@assurance/kernel';
import { ByArtifact, byKey, type Environment, type Running } from '@assurance/model';

/** An artifact as a report says it: one creation time an instance, in epoch seconds, ascending; 0 where unknown. */
export interface Reported extends ArtifactKey {
  readonly instances: readonly number[];
  /** Further details of each instance, in the order of `instances`. Absent for kinds of reports without details. They are never compared. */
  readonly contexts?: readonly InstanceContext[];
}

/** One item of a report: what one container, pod or task runs. */
export interface ReportItem {
  /** Name to digest; the same (name, digest) in several items is several instances. */
  readonly digests: Readonly<Record<string, string>>;
  readonly creationTimestamp: number;
  /** Either all items of a report have it or none. */
  readonly context?: InstanceContext;
}

/** An artifact and the items of its instances. */
interface Collected extends ArtifactKey {
  readonly instances: ReportItem[];
}

/** Turns a report's items into artifacts with their instances, in the order of `byKey`. */
export function* collect(items: readonly ReportItem[]): Steps<Reported[]> {
  const artifacts: Collected[] = [];
  const known = new ByArtifact<Collected>();
  yield* mapSteps(items, (item) => {
    for (const [name, fingerprint] of Object.entries(item.digests)) {
      const key = { fingerprint, name };
      const same = known.get(key);
      if (same !== undefined) same.instances.push(item);
      else {
        const fresh = { fingerprint, name, instances: [item] };
        known.set(key, fresh);
        artifacts.push(fresh);
      }
    }
  });
  const all = yield* mapSteps(artifacts, reported);
  yield;
  return all.sort(byKey);
}

function reported({ fingerprint, name, instances }: Collected): Reported {
  const [first] = instances;
  // Most artifacts have one instance, and a report has thousands of them.
  if (first !== undefined && instances.length === 1) {
    const { creationTimestamp, context } = first;
    const one = { fingerprint, name, instances: [creationTimestamp] };
    return context === undefined ? one : { ...one, contexts: [context] };
  }
  const sorted = [...instances].sort((a, b) => a.creationTimestamp - b.creationTimestamp);
  const times = sorted.map(({ creationTimestamp }) => creationTimestamp);
  const contexts = sorted.flatMap(({ context }) => context ?? []);
  return { fingerprint, name, instances: times, ...(contexts.length === 0 ? {} : { contexts }) };
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

/** Compares by (fingerprint, name); counts matter only where the environment includes scaling. */
export function* differenceOf(
  running: readonly Running[],
  reported: readonly Reported[],
  includeScaling: boolean,
): Steps<Difference> {
  const before = new ByArtifact<{ readonly artifact: Running; stays: boolean }>();
  const all = yield* mapSteps(running, (artifact) => {
    const one = { artifact, stays: false };
    before.set(artifact, one);
    return one;
  });
  const started: Reported[] = [];
  const scaled: { before: Running; now: Reported }[] = [];
  yield* mapSteps(reported, (now) => {
    const was = before.get(now);
    if (was === undefined) {
      started.push(now);
      return;
    }
    was.stays = true;
    const { artifact } = was;
    if (includeScaling && artifact.instances.length !== now.instances.length) scaled.push({ before: artifact, now });
  });
  return { started, exited: all.filter(({ stays }) => !stays).map(({ artifact }) => artifact), scaled };
}

/** How many artifacts a snapshot made of this would list as changed. */
export function sizeOf({ started, exited, scaled }: Difference): number {
  return started.length + exited.length + scaled.length;
}
