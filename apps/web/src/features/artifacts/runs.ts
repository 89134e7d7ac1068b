import type { Schemas } from '../../api/client';

/** A time in which an artifact ran in an environment. */
export interface Run {
  readonly env: string;
  /** The snapshot in which it started; null if the start was not seen. */
  readonly started: number | null;
  /** Epoch seconds, as is `until`. */
  readonly from: number | null;
  /** The first snapshot without it; null while it runs. */
  readonly stopped: number | null;
  readonly until: number | null;
}

type Event = Pick<
  Schemas['TrailEvent'],
  'type' | 'timestamp' | 'artifact_fingerprint' | 'environment_name' | 'snapshot_index'
>;

/** The runs of an artifact by the events of its trail, newest first. */
export function runsOf(events: readonly Event[], fingerprint: string): readonly Run[] {
  const runs: Run[] = [];
  const runEvents = events.filter(({ artifact_fingerprint: of }) => of === fingerprint);
  for (const { type, timestamp, environment_name: env, snapshot_index: index = null } of runEvents.toSorted(
    (a, b) => a.timestamp - b.timestamp,
  )) {
    if (env === undefined) continue;
    const open = runs.findLastIndex((run) => run.env === env && run.until === null);
    if (type === 'artifact_started_running' && open === -1) {
      runs.push({ env, started: index, from: timestamp, stopped: null, until: null });
    }
    if (type === 'artifact_stopped_running') {
      const before = runs[open] ?? { env, started: null, from: null };
      runs.splice(open === -1 ? runs.length : open, open === -1 ? 0 : 1, {
        ...before,
        stopped: index,
        until: timestamp,
      });
    }
  }
  return runs.reverse();
}
