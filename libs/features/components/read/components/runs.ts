import { running } from '@assurance/contracts/environments/documents';
import { departures, deployments } from '@assurance/deployments/read/deployments/rows';
import { type Collection, type Documents, findPages, pagesAmong, type Query } from '@assurance/storage-ports';
import { addTo, getOrInsert, pieces } from '@assurance/kernel';
import { beginnings } from './rows';

/** How many fingerprints are looked for together. */
const TOGETHER = 100;
const PAGE = 1_000;
/** The most starts, and the most departures, that one question goes through: of several artifacts, and of one alone. */
export const RUNS_MAX: Readonly<Record<'ofMany' | 'ofOne', number>> = { ofMany: 200_000, ofOne: 1_000_000 };

/** From which snapshot to which an artifact ran in an environment. */
export interface Run {
  readonly environment: string;
  readonly from: number;
  /** The snapshot in which it was gone; null while it runs, and if no snapshot tells. */
  readonly until: number | null;
  readonly isRunning: boolean;
}

/**
 * Where artifacts ran and run, by fingerprint: those of an environment together, from first to last. `endedAtBeginnings` completes them. `too-many` beyond
 * the limit.
 *
 * @param view documents of the view of deployments
 * @param states documents of states
 * @param places ids of the environments whose runs are read; null for all environments of the organization
 */
export async function runsOf(
  { view, states }: { readonly view: Documents; readonly states: Documents },
  org: string,
  fingerprints: readonly string[],
  places: readonly string[] | null,
): Promise<ReadonlyMap<string, readonly Run[]> | 'too-many'> {
  const runs = new Map<string, Run[]>();
  const scope: Query['where'] = places === null ? { org } : { environment: { in: places } };
  let remaining = fingerprints.length > 1 ? RUNS_MAX.ofMany : RUNS_MAX.ofOne;
  for (const some of pieces(fingerprints, TOGETHER)) {
    const where = { ...scope, fingerprint: { in: some } };
    const starts = await snapshotsBy(view.collection(deployments), where, remaining);
    const ends = await snapshotsBy(view.collection(departures), where, remaining);
    if (starts === 'too-many' || ends === 'too-many') return 'too-many';
    remaining -= Math.max(starts.count, ends.count);
    const now = new Set<string>();
    for await (const page of findPages(states.collection(running), { where }, PAGE)) {
      for (const { doc } of page) now.add(`${doc.fingerprint}/${doc.environment}`);
    }
    for (const [key, begun] of starts.snapshots) {
      const [fingerprint = '', environment = ''] = key.split('/');
      const own = getOrInsert(runs, fingerprint, () => []);
      for (const run of runsIn(environment, begun, ends.snapshots.get(key) ?? [], now.has(key))) own.push(run);
    }
  }
  return runs;
}

/** Each start with the first end behind it, at the latest the next start. */
export function runsIn(
  environment: string,
  starts: readonly number[],
  ends: readonly number[],
  isRunning: boolean,
): Run[] {
  const sortedStarts = starts.toSorted((a, b) => a - b);
  const sortedEnds = ends.toSorted((a, b) => a - b);
  let at = 0;
  return sortedStarts.map((from, i) => {
    while ((sortedEnds[at] ?? Infinity) <= from) at += 1;
    const first = Math.min(sortedStarts[i + 1] ?? Infinity, sortedEnds[at] ?? Infinity);
    const until = first === Infinity ? null : first;
    return { environment, from, until, isRunning: isRunning && until === null };
  });
}

/** The snapshots in which environments began from nothing, ascending, by environment. */
export async function beginningsOf(
  documents: Documents,
  org: string,
  environments: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const snapshots = new Map<string, number[]>();
  for await (const page of pagesAmong(documents.collection(beginnings), { org }, 'environment', environments, PAGE)) {
    for (const { doc } of page) addTo(snapshots, doc.environment, doc.snapshot);
  }
  for (const own of snapshots.values()) own.sort((a, b) => a - b);
  return snapshots;
}

/**
 * What had ended before its environment began from nothing: no departure says so.
 *
 * @param runs as `runsOf` orders them
 */
export function endedAtBeginnings(runs: readonly Run[], begun: ReadonlyMap<string, readonly number[]>): readonly Run[] {
  let [environment, at] = ['', 0];
  return runs.map((run) => {
    if (run.environment !== environment) [environment, at] = [run.environment, 0];
    const own = begun.get(environment) ?? [];
    while ((own[at] ?? Infinity) <= run.from) at += 1;
    const first = own[at];
    if (run.isRunning || first === undefined) return run;
    return { ...run, until: Math.min(first, run.until ?? Infinity) };
  });
}

interface SnapshotPlace {
  readonly fingerprint: string;
  readonly environment: string;
  readonly snapshot: number;
}

/** By fingerprint and environment. */
interface Snapshots {
  readonly snapshots: ReadonlyMap<string, readonly number[]>;
  readonly count: number;
}

async function snapshotsBy<T extends SnapshotPlace>(
  collection: Collection<T>,
  where: Query['where'],
  max: number,
): Promise<Snapshots | 'too-many'> {
  const snapshots = new Map<string, number[]>();
  let count = 0;
  for await (const page of findPages(collection, { where }, PAGE)) {
    for (const { doc } of page) addTo(snapshots, `${doc.fingerprint}/${doc.environment}`, doc.snapshot);
    if ((count += page.length) > max) return 'too-many';
  }
  return { snapshots, count };
}
