import { type EnvironmentEvent, streams } from '@assurance/contracts-events';
import type { SnapshotAnswer, SnapshotListItem } from '@assurance/contracts-http';
import { type Environment, type Snapshot, SnapshotFold } from '@assurance/model-environment';
import type { EventStore } from '@assurance/storage-ports';
import { BrokenRecord, eventsOf, snapshotCommits } from '@assurance/storage-records';
import { links, type Site } from '../links';
import type { PageRequest } from '../pages';
import { snapshotArtifacts } from './answer';
import type { SnapshotRange } from './interval';

/** A snapshot that was read, and when it was made (integer milliseconds). */
export interface ReadSnapshot {
  readonly snapshot: Snapshot;
  readonly at: number;
}

/**
 * Reads a snapshot in bounded work.
 *
 * @returns null when the environment has no such snapshot
 */
export async function readSnapshot(
  store: EventStore,
  environment: Pick<Environment, 'id'>,
  index: number,
): Promise<ReadSnapshot | null> {
  const commits = await snapshotCommits(store, streams.environment(environment.id), index);
  if (commits === null) return null;
  const fold = new SnapshotFold();
  let at = 0;
  for await (const commit of commits) {
    for (const event of (await eventsOf(store, commit)) as EnvironmentEvent[]) fold.take(event);
    at = commit.at;
  }
  return { snapshot: fold.result(), at };
}

/**
 * A snapshot as it was recorded (specification has none; WIRE 5.3).
 *
 * @returns null when the environment has no such snapshot
 */
export async function getSnapshot(
  store: EventStore,
  site: Site,
  environment: Environment,
  index: number,
): Promise<SnapshotAnswer | null> {
  const read = await readSnapshot(store, environment, index);
  if (read === null) return null;
  const next = await store.bySnapshot(streams.environment(environment.id), index + 1);
  return answer(site, environment, index, read.snapshot, read.at, next?.at ?? null);
}

function answer(
  site: Site,
  environment: Environment,
  index: number,
  snapshot: Snapshot,
  at: number,
  nextAt: number | null,
): SnapshotAnswer {
  const verdicts = snapshot.artifacts.map(({ compliant }) => compliant);
  const count = (verdict: boolean | null) => verdicts.filter((one) => one === verdict).length;
  return {
    index,
    is_latest: nextAt === null,
    timestamp: at / 1000,
    next_snapshot_timestamp: nextAt === null ? null : nextAt / 1000,
    type: environment.type,
    compliant: null,
    artifact_compliance_count: { true: count(true), false: count(false), null: count(null) },
    html_url: links.snapshotPage(site, snapshot.environment, index),
    artifacts: snapshotArtifacts(site, snapshot),
    applied_policies: [],
  };
}

/**
 * One page of an environment's snapshots, newest first (WIRE 5.2).
 *
 * @param now integer milliseconds: how long the current one has lasted
 */
export async function listSnapshots(
  store: EventStore,
  environment: Environment,
  { first, last }: SnapshotRange,
  { page, perPage }: PageRequest,
  oldestFirst: boolean,
  now: number,
): Promise<SnapshotListItem[]> {
  const skip = (page - 1) * perPage;
  const size = Math.min(perPage, Math.max(0, last - first + 1 - skip));
  const indexes = Array.from({ length: size }, (_, i) => (oldestFirst ? first + skip + i : last - skip - i));
  const times = new Map<number, number>();
  const timeOf = async (index: number) => {
    const known = times.get(index);
    if (known !== undefined) return known;
    const commit = await store.bySnapshot(streams.environment(environment.id), index);
    if (commit === null) throw new BrokenRecord(`snapshot ${index} of environment ${environment.id} is gone`);
    times.set(index, commit.at);
    return commit.at;
  };
  const items: SnapshotListItem[] = [];
  for (const index of indexes) {
    const from = await timeOf(index);
    const to = index === environment.snapshot ? null : await timeOf(index + 1);
    const duration = Math.max(0, (to ?? now) - from) / 1000;
    items.push({ index, from: from / 1000, to: (to ?? 0) / 1000, duration, compliant: false });
  }
  return items;
}
