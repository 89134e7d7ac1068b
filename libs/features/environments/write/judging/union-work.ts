import type { EnvironmentEvent } from '@assurance/contracts/environments/events';
import { keyOf, kindOf } from '@assurance/contracts/events/streams';
import { type Commit, type Documents, getAll, pagesBy } from '@assurance/storage-ports';
import { environment } from '../../domain/environment';
import { logicalMembers, MEMBERS_PROJECTED_SINCE } from '../../domain/members';
import type { JudgingWork } from '../../judging/work';

const MOVES: ReadonlySet<string> = new Set<EnvironmentEvent['type']>([
  'EnvironmentCreated',
  'EnvironmentUpdated',
  'EnvironmentArchived',
  'EnvironmentRevived',
  'SnapshotRecorded',
]);
/** How many documents a read brings at once. */
const PAGE = 500;
/** How many members are looked for together. */
const GROUP = 100;
/** Schema versions whose aggregate states have no documents of their members. */
const OLD_SCHEMAS = Array.from({ length: MEMBERS_PROJECTED_SINCE }, (_, schemaVersion) => schemaVersion);

/**
 * Ids of the logical environments that commits make due: those with a member that has a new snapshot, was archived or revived, and those
 * with changed members. A new member is read by the environment that it joins, so at least one of the two sees the other.
 */
export async function unionWorkAfter(
  documents: Documents,
  batch: readonly Commit[],
): Promise<Map<string, JudgingWork>> {
  const work = new Map<string, JudgingWork>();
  for (const [org, moved] of movedByOrganization(batch)) {
    const add = (logical: string, { correlation }: Commit) =>
      work.set(logical, { org, correlation, fingerprints: null });
    for await (const [logical, member] of logicalWith(documents, org, [...moved.keys()])) {
      const cause = moved.get(member);
      if (cause !== undefined) add(logical, cause);
    }
    const changedCommits = [...moved.values()].filter(isMoreThanSnapshot);
    const aggregateStates = await getAll(
      documents.collection(environment.states),
      changedCommits.map(({ stream }) => stream),
    );
    for (const commit of changedCommits)
      if (aggregateStates.get(commit.stream)?.type === 'logical') add(keyOf(commit.stream), commit);
  }
  return work;
}

/** Snapshots of a logical environment make nothing due. */
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

/** The logical environments that some environments are members of, each with the member. */
async function* logicalWith(
  documents: Documents,
  org: string,
  members: readonly string[],
): AsyncGenerator<readonly [logical: string, member: string]> {
  const existing = documents.collection(logicalMembers);
  for (let i = 0; i < members.length; i += GROUP) {
    const where = { member: { in: members.slice(i, i + GROUP) } };
    for await (const page of pagesBy(existing, where, 'key', PAGE))
      for (const { doc } of page) yield [doc.logical, doc.member];
  }
  // Of an earlier release, until something happens in them.
  const old = { org, type: 'logical', fold: { in: OLD_SCHEMAS } };
  for await (const page of pagesBy(documents.collection(environment.states), old, 'id', PAGE))
    for (const { doc } of page) for (const member of doc.includedEnvironments ?? []) yield [doc.id, member];
}
