/** What runs when, and what is of one line. */
import type { ModelItem, ModelReport, OriginOf } from './model';

/** What the instances of one fingerprint amount to in one snapshot. */
export interface Running extends Omit<ModelItem, 'startedAt'> {
  readonly start: number;
  readonly isStartKnown: boolean;
}
/** `number` counts from 1 over all histories of an environment. */
export interface Snapshot {
  readonly number: number;
  readonly at: number;
  readonly items: ReadonlyMap<string, Running>;
}
export const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);

/** An image without tag, digest and Docker's default prefix; an ARN without the version or alias of a function. */
export function baseName(name: string): string {
  if (name.startsWith('arn:')) return name.replace(/(:function:[^:]+):.*$/, '$1');
  return name
    .replace(/@.*$/, '')
    .replace(/:[^:/]*$/, '')
    .replace(/^(index\.)?docker\.io\//, '')
    .replace(/^library\//, '');
}

/** Whether two running artifacts are of one line. */
export function isOneLine(a: Running | ModelItem, b: Running | ModelItem, originOf: OriginOf): boolean {
  if (a.namespaces && b.namespaces && !a.namespaces.some((namespace) => b.namespaces?.includes(namespace)))
    return false;
  const isSameName = baseName(a.name) === baseName(b.name);
  const [left, right] = [originOf(a.fingerprint), originOf(b.fingerprint)];
  if (!left?.repo || !right?.repo) return isSameName;
  if (left.repo !== right.repo) return false;
  return (
    isSameName ||
    (left.flow !== null && left.flow === right.flow && left.template !== null && left.template === right.template)
  );
}

/** All instances of one fingerprint in a report, under the name of the earliest. */
function mergeInstances(instances: readonly ModelItem[], earliest: number, at: number): Running {
  const [first] = [...instances].sort((a, b) => compare(a.startedAt, b.startedAt) || compare(a.name, b.name));
  const workloads = instances.flatMap((item) => item.workloads ?? []);
  const namespaces = instances.flatMap((item) => item.namespaces ?? []);
  return {
    fingerprint: first!.fingerprint,
    name: first!.name,
    start: Math.min(at, Math.max(earliest, first!.startedAt)),
    isStartKnown: first!.startedAt < at,
    workloads: workloads.length > 0 ? workloads : null,
    namespaces: namespaces.length > 0 ? namespaces : null,
  };
}

/** The snapshots, in one list for each history: an environment's first one, and one for each revival. */
export function historiesOf(reports: readonly ModelReport[]): Snapshot[][] {
  const histories: Snapshot[][] = [];
  reports.forEach(({ at, items, revival }, i) => {
    if (i === 0 || revival) histories.push([]);
    const history = histories.at(-1)!;
    const earliest = i === 0 || revival ? -Infinity : reports[i - 1]!.at;
    const running = new Map(
      [...new Set(items.map((item) => item.fingerprint))].map(
        (fingerprint) =>
          [
            fingerprint,
            mergeInstances(
              items.filter((item) => item.fingerprint === fingerprint),
              earliest,
              at,
            ),
          ] as const,
      ),
    );
    const last = history.at(-1)?.items;
    if (last && last.size === running.size && [...running.keys()].every((fingerprint) => last.has(fingerprint))) return;
    history.push({ number: histories.flat().length + 1, at, items: running });
  });
  return histories;
}

/** Whether it runs in a workload; an unknown place may be any. */
export const isIn = (item: Running, id: string): boolean =>
  !item.workloads || item.workloads.some((own) => own.id === id);
/** Whether both have known workloads and one in common. */
export const shareWorkload = (a: Running, b: Running): boolean =>
  b.workloads !== null && a.workloads !== null && a.workloads.some(({ id }) => isIn(b, id));
/** Whether one of them has only jobs, and both have known workloads but none in common. */
export function areOtherJobs(a: Running, b: Running): boolean {
  const isOnlyJobs = ({ workloads }: Running): boolean => workloads !== null && workloads.every(({ isJob }) => isJob);
  return a.workloads !== null && b.workloads !== null && (isOnlyJobs(a) || isOnlyJobs(b)) && !shareWorkload(a, b);
}
/** A text that changes when it comes, leaves or changes its workloads. */
export const placesOf = (item?: Running): string =>
  item ? JSON.stringify(item.workloads?.map(({ id }) => id).sort() ?? null) : 'not running';

/** The fingerprints connected with one by lines, directly or through others, in any of the snapshots. */
export function connectedWith(fingerprint: string, snapshots: readonly Snapshot[], originOf: OriginOf): string[] {
  const all = snapshots.flatMap(({ items }) => [...items.values()]);
  const group = new Set([fingerprint]);
  for (let size = 0; size < group.size;) {
    size = group.size;
    for (const a of all.filter((item) => group.has(item.fingerprint)))
      for (const b of all) if (isOneLine(a, b, originOf)) group.add(b.fingerprint);
  }
  return [...group];
}
