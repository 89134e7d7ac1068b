import type { EventMeta } from '@assurance/contracts/events/event';
import { keyOf } from '@assurance/contracts/events/streams';
import type { RepoJoined } from '@assurance/contracts/flows/events';
import { BATCH, distinct } from '@assurance/event-sourcing/projection/batches';
import { type Documents, findPages } from '@assurance/storage-ports';
import { completeReported } from './join';
import { readReports } from './reports';
import { type DeploymentRow, deployments, joinedRepos } from './rows';

/**
 * Gives rows of a repository the older one to which it was joined. It is written first: whoever reads reports from now on reads them so, and whoever
 * read them before has written rows that are found here, or reads them again after writing.
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
  // All are found before one is changed: a changed row is in another list. Those of the older one too: after a crash their counts may be missing.
  for (const repo of [id, into]) {
    for await (const page of findPages(rows, { where: { org, 'origin.repo.id': repo } }, BATCH)) {
      for (const { doc } of page) fingerprints.add(doc.fingerprint);
    }
  }
  const reports = await readReports(documents, org, distinct([...fingerprints]));
  const firsts = [...reports].map(([fingerprint, { first }]) => ({ fingerprint, origin: first }));
  await completeReported(documents, org, firsts);
}
