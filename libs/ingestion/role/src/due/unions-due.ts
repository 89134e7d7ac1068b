import { type EnvironmentEvent, keyOf, kindOf } from '@assurance/contracts-events';
import type { Due } from '@assurance/ingestion-due';
import { environment } from '@assurance/model-environment';
import { type Commit, type Documents, pagesBy } from '@assurance/storage-ports';

const MOVES: ReadonlySet<string> = new Set<EnvironmentEvent['type']>([
  'EnvironmentCreated',
  'EnvironmentUpdated',
  'EnvironmentArchived',
  'EnvironmentRevived',
  'SnapshotRecorded',
]);
/** How many logical environments a read brings at once. */
const PAGE = 500;

/**
 * Which logical environments some commits make due, by id: those with a member that has a new snapshot or came or went, and those that have
 * other members. Whoever is made a member is looked at by the environment that it joins, so at least one sees the other.
 */
export async function unionsDueAfter(documents: Documents, batch: readonly Commit[]): Promise<Map<string, Due>> {
  const due = new Map<string, Due>();
  for (const [org, moved] of movedByOrganization(batch)) {
    for await (const { id, includedEnvironments } of logicalIn(documents, org)) {
      const own = moved.get(id);
      const members = (includedEnvironments ?? []).map((member) => moved.get(member));
      const cause = [own !== undefined && isMoreThanSnapshot(own) ? own : undefined, ...members].find(
        (one) => one !== undefined,
      );
      if (cause !== undefined) due.set(id, { org, correlation: cause.correlation, fingerprints: null });
    }
  }
  return due;
}

/** A logical environment's own snapshots move nothing. */
function isMoreThanSnapshot({ events }: Commit): boolean {
  return events.some(({ type }) => type !== 'SnapshotRecorded' && MOVES.has(type));
}

/** The newest commit of each environment that moved. */
function movedByOrganization(batch: readonly Commit[]): Map<string, Map<string, Commit>> {
  const all = new Map<string, Map<string, Commit>>();
  for (const commit of batch) {
    if (kindOf(commit.stream) !== environment.kind || !commit.events.some(({ type }) => MOVES.has(type))) continue;
    const moved = all.get(commit.org) ?? new Map<string, Commit>();
    all.set(commit.org, moved.set(keyOf(commit.stream), commit));
  }
  return all;
}

async function* logicalIn(documents: Documents, org: string) {
  const heads = documents.collection(environment.heads);
  for await (const page of pagesBy(heads, { org, type: 'logical' }, 'id', PAGE)) yield* page.map(({ doc }) => doc);
}
