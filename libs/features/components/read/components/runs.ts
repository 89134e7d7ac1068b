import { running } from '@assurance/contracts/environments/documents';
import { departures, deployments } from '@assurance/deployments/read/deployments/rows';
import { type Collection, type Documents, foundPages } from '@assurance/storage-ports';

/** How many fingerprints are looked for together. */
const TOGETHER = 100;
const PAGE = 1_000;

/** From which snapshot to which an artifact ran in an environment. */
export interface Run {
  readonly environment: string;
  readonly from: number;
  /** The snapshot in which it was gone; null while it runs, and if no snapshot tells. */
  readonly until: number | null;
  readonly isRunning: boolean;
}

/**
 * Where artifacts ran and run, by fingerprint, from first to last. What ended because its environment began from nothing ended, at the latest, before
 * its next start there.
 *
 * @param view documents of the view of deployments
 * @param states documents of states
 */
export async function runsOf(
  { view, states }: { readonly view: Documents; readonly states: Documents },
  org: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, readonly Run[]>> {
  const runs = new Map<string, Run[]>();
  for (let from = 0; from < fingerprints.length; from += TOGETHER) {
    const some = fingerprints.slice(from, from + TOGETHER);
    const starts = await snapshotsBy(view.collection(deployments), org, some);
    const ends = await snapshotsBy(view.collection(departures), org, some);
    const now = new Set<string>();
    for await (const found of foundPages(states.collection(running), whereOf(org, some), PAGE)) {
      for (const { doc } of found) now.add(`${doc.fingerprint}/${doc.environment}`);
    }
    for (const [key, begun] of starts) {
      const [fingerprint = '', environment = ''] = key.split('/');
      const own = runsIn(environment, begun, ends.get(key) ?? [], now.has(key));
      runs.set(fingerprint, [...(runs.get(fingerprint) ?? []), ...own]);
    }
  }
  return runs;
}

function runsIn(environment: string, starts: readonly number[], ends: readonly number[], isRunning: boolean): Run[] {
  const begun = [...starts].sort((a, b) => a - b);
  return begun.map((from, i) => {
    const next = begun[i + 1] ?? null;
    const gone = ends.filter((end) => end > from && (next === null || end <= next));
    const until = gone.length > 0 ? Math.min(...gone) : next;
    return { environment, from, until, isRunning: isRunning && until === null };
  });
}

const whereOf = (org: string, fingerprints: readonly string[]) => ({
  where: { org, fingerprint: { in: fingerprints } },
});

interface Placed {
  readonly fingerprint: string;
  readonly environment: string;
  readonly snapshot: number;
}

async function snapshotsBy<T extends Placed>(
  collection: Collection<T>,
  org: string,
  fingerprints: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const snapshots = new Map<string, number[]>();
  for await (const found of foundPages(collection, whereOf(org, fingerprints), PAGE)) {
    for (const { doc } of found) {
      const key = `${doc.fingerprint}/${doc.environment}`;
      snapshots.set(key, [...(snapshots.get(key) ?? []), doc.snapshot]);
    }
  }
  return snapshots;
}
