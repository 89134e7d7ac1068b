import type { EventMeta } from '@assurance/contracts/events/event';
import type { EnvironmentRenamed } from '@assurance/contracts/events/naming';
import { keyOf } from '@assurance/contracts/events/streams';
import type { RepoJoined } from '@assurance/contracts/flows/events';
import { BATCH, batches } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import { allEnded, forEachConcurrently, grouped } from '@assurance/kernel';
import { type Documents, findPages } from '@assurance/storage-ports';
import { followRecoveries } from '../figures/recover';
import { followJoinedRepo } from './follow-joined-repo';
import { isSnapshot, join, type JoinedEvent } from './join';
import { deploymentCollections, type DeploymentRow, deployments } from './rows';

/** The events that this view is made of. */
export type FollowedEvent = JoinedEvent | EnvironmentRenamed | RepoJoined;

/** Organizations whose events are taken at the same time. */
const ORGANIZATIONS = 4;

/** The view of deployments and of the artifacts that they may have replaced. */
export const deploymentsView: View = {
  name: 'deployments',
  version: 7,
  collections: deploymentCollections,
  kinds: new Set(['environment', 'trail', 'artifact', 'repo']),
  types: new Set<FollowedEvent['type']>(['SnapshotRecorded', 'EnvironmentRenamed', 'ArtifactReported', 'RepoJoined']),
  take: (documents, recorded) => follow(documents, recorded as readonly RecordedEvent<FollowedEvent>[]),
};

/**
 * Takes events into the view. Idempotent, and commutative across streams: each side writes its own rows first and looks at the other's second,
 * and a row's origin only ever moves to an earlier report, so any interleaving ends in the same rows.
 */
export async function follow(documents: Documents, recorded: readonly RecordedEvent<FollowedEvent>[]): Promise<void> {
  let together: RecordedEvent<JoinedEvent>[] = [];
  for (const { event, meta } of recorded) {
    // A logical environment has no deployments of its own; its members have them.
    if (event.type === 'SnapshotRecorded' && event.data.type === 'logical') continue;
    if (event.type === 'RepoJoined') {
      await followJoinedRepo(documents, event, meta);
      continue;
    }
    if (event.type !== 'EnvironmentRenamed') {
      together.push({ event, meta });
      continue;
    }
    // Between the snapshots of its own stream: those before it are written, those after it have the new name.
    await followAll(documents, together);
    together = [];
    await followRename(documents, event, meta);
  }
  await followAll(documents, together);
}

async function followAll(documents: Documents, recorded: readonly RecordedEvent<JoinedEvent>[]): Promise<void> {
  const organizations = grouped(recorded, ({ meta }) => meta.org);
  // Neither reads what the other writes.
  await allEnded([
    followRecoveries(documents, recorded.filter(isSnapshot)),
    forEachConcurrently(organizations, ORGANIZATIONS, ([org, own]) => join(documents, org, own)),
  ]);
}

/**
 * Gives every row of the environment its new name, by which rows are ordered. All of them have the one before: they come from the same stream.
 * Said again, it leaves rows that have it, or that a later event of the stream named otherwise.
 */
async function followRename(
  documents: Documents,
  { data: { name, previousName } }: EnvironmentRenamed,
  { org, stream, seq }: EventMeta,
): Promise<void> {
  const named = (row: DeploymentRow | null): row is DeploymentRow =>
    row?.environmentName === previousName && (row.namedAt ?? 0) < seq;
  const rows = documents.collection(deployments);
  const where = { org, environment: keyOf(stream) };
  // All are found before one is changed: a changed row has another place in the list.
  const ids: string[] = [];
  for await (const page of findPages(rows, { where }, BATCH)) {
    for (const { id, doc } of page) if (named(doc)) ids.push(id);
  }
  for (const some of batches(ids)) {
    await rows.merge(some, (row) => (named(row) ? { ...row, environmentName: name, namedAt: seq } : undefined));
  }
}
