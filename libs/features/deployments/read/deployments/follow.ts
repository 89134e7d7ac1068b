import type { EnvironmentRenamed } from '@assurance/contracts/environments/events';
import type { EventMeta } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import type { RepoJoined } from '@assurance/contracts/flows/events';
import { BATCH, batches } from '@assurance/event-sourcing/projection/batches';
import type { RecordedEvent, View } from '@assurance/event-sourcing/projection/view';
import { waitForAll, forEachConcurrently, groupBy } from '@assurance/kernel';
import { type Documents, findPages } from '@assurance/storage-ports';
import { followRecoveries } from '../figures/recover';
import { followJoinedRepo } from './follow-joined-repo';
import { isSnapshot, join, type JoinedEvent } from './join';
import { deploymentCollections, type DeploymentRow, deployments, deploymentsVersion } from './rows';

/** The events that this view processes. */
export type FollowedEvent = JoinedEvent | EnvironmentRenamed | RepoJoined;

/** How many organizations are processed at the same time. */
const ORGANIZATIONS = 4;

/** The view of deployments and of the artifacts that they may have replaced. */
export const deploymentsView: View = {
  name: 'deployments',
  version: deploymentsVersion,
  collections: deploymentCollections,
  kinds: new Set(['environment', 'trail', 'artifact', 'repo']),
  types: new Set<FollowedEvent['type']>(['SnapshotRecorded', 'EnvironmentRenamed', 'ArtifactReported', 'RepoJoined']),
  take: (documents, recorded) => follow(documents, recorded as readonly RecordedEvent<FollowedEvent>[]),
};

/**
 * Takes events into the view. It is idempotent, and commutative across streams: each side writes its own rows first and then reads the rows of the
 * other side. The origin of a row only ever changes to an earlier report, so any order ends in the same rows.
 */
export async function follow(documents: Documents, recorded: readonly RecordedEvent<FollowedEvent>[]): Promise<void> {
  let together: RecordedEvent<JoinedEvent>[] = [];
  for (const { event, meta } of recorded) {
    // A logical environment has no deployments of its own. Its members have them.
    if (event.type === 'SnapshotRecorded' && event.data.type === 'logical') continue;
    if (event.type === 'RepoJoined') {
      await followJoinedRepo(documents, event, meta);
      continue;
    }
    if (event.type !== 'EnvironmentRenamed') {
      together.push({ event, meta });
      continue;
    }
    // Write the snapshots of the stream before the rename first. Later snapshots have the new name.
    await followAll(documents, together);
    together = [];
    await followRename(documents, event, meta);
  }
  await followAll(documents, together);
}

async function followAll(documents: Documents, recorded: readonly RecordedEvent<JoinedEvent>[]): Promise<void> {
  const organizations = groupBy(recorded, ({ meta }) => meta.org);
  // Neither reads rows that the other writes.
  await waitForAll([
    followRecoveries(documents, recorded.filter(isSnapshot)),
    forEachConcurrently(organizations, ORGANIZATIONS, ([org, own]) => join(documents, org, own)),
  ]);
}

/**
 * Gives every row of the environment its new name, by which rows are ordered. All these rows come from one stream, so all have the previous name. If
 * it runs again, it skips rows that have the new name, or a name of a later event.
 */
async function followRename(
  documents: Documents,
  { data: { name, previousName } }: EnvironmentRenamed,
  { org, stream, seq }: EventMeta,
): Promise<void> {
  const hasFormerName = (row: DeploymentRow | null): row is DeploymentRow =>
    row?.environmentName === previousName && (row.namedAt ?? 0) < seq;
  const rows = documents.collection(deployments);
  const where = { org, environment: keyOf(stream) };
  // Find all rows before the first change, because a changed row has another position in the list.
  const ids: string[] = [];
  for await (const page of findPages(rows, { where }, BATCH)) {
    for (const { id, doc } of page) if (hasFormerName(doc)) ids.push(id);
  }
  for (const some of batches(ids)) {
    await rows.merge(some, (row) => (hasFormerName(row) ? { ...row, environmentName: name, namedAt: seq } : undefined));
  }
}
