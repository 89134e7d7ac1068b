import type { EventMeta } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import type { RepoJoined } from '@assurance/contracts/flows/events';
import { BATCH, removeDuplicates } from '@assurance/event-sourcing/projection/batches';
import { type Documents, findPages } from '@assurance/storage-ports';
import { completeReported } from './join';
import { readReports } from './reports';
import { type DeploymentRow, deployments, joinedRepos } from './rows';

/**
 * Moves the rows of a repository to the older repository that it was joined to. The join is written first. So every later read of reports applies it.
 * A process that read reports before has already written rows that are found here, or it reads the reports again after its write.
 */
export async function followJoinedRepo(
  documents: Documents,
  { data: { into } }: RepoJoined,
  { org, stream }: EventMeta,
): Promise<void> {
  const id = keyOf(stream);
  await documents.collection(joinedRepos).merge([id], () => ({ into }));
  const rows = documents.collection<DeploymentRow>(deployments);
  const fingerprints = new Set<string>();
  // Find all rows before the first change, because a changed row is in another list. Include rows of the older repository: after a crash their counts
  // may be missing.
  for (const repo of [id, into]) {
    for await (const page of findPages(rows, { where: { org, 'origin.repo.id': repo } }, BATCH)) {
      for (const { doc } of page) fingerprints.add(doc.fingerprint);
    }
  }
  const reports = await readReports(documents, org, removeDuplicates([...fingerprints]));
  const firstReports = [...reports].map(([fingerprint, { first }]) => ({ fingerprint, origin: first }));
  await completeReported(documents, org, firstReports);
}
