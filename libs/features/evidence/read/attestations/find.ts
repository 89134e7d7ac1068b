import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { type AttestationDocument, attestations, subjectsOfReport } from '@assurance/flows/domain/attestation';
import { provenances } from '@assurance/flows/domain/provenance';
import { type Documents, findPages, type Query } from '@assurance/storage-ports';

/** The most attestations of one name in an answer. */
const OF_NAME_MAX = 100;
/** The most trails of a flow that are searched for attestations of an artifact: the newest ones. */
const TRAILS_MAX = 100;
/** The most attestations of one commit that are compared with the filter. */
const OF_COMMIT_READ_MAX = 1_000;
const NEWEST_FIRST = orderBy('-at', '-id');

/** The most commits of one request, and the most attestations in its answer. */
export const COMMITS_MAX = 500;
const OF_COMMITS_MAX = 1_000;

/** The filter of the attestations of commits. Null does not filter. */
export interface CommitCriteria {
  readonly org: string;
  readonly commits: readonly string[];
  /** Id of a flow. */
  readonly flow: string | null;
  readonly name: string | null;
  readonly type: string | null;
}

/** Returns the attestations of each commit, newest first. Each commit gets the same share of the answer. */
export async function attestationsOfCommits(
  documents: Documents,
  { org, commits, flow, name, type }: CommitCriteria,
): Promise<ReadonlyMap<string, readonly AttestationDocument[]>> {
  const limit = Math.min(OF_NAME_MAX, Math.max(1, Math.floor(OF_COMMITS_MAX / commits.length)));
  const results = new Map<string, readonly AttestationDocument[]>();
  for (const commit of commits) {
    const query = { where: { org, commit }, order: NEWEST_FIRST };
    const of: AttestationDocument[] = [];
    let read = 0;
    for await (const page of findPages(documents.collection(attestations), query, OF_NAME_MAX)) {
      for (const { doc } of page) {
        const fits =
          (flow === null || doc.flow === flow) &&
          (name === null || doc.name === name) &&
          (type === null || doc.type === type);
        if (fits && of.length < limit) of.push(doc);
      }
      read += page.length;
      if (of.length >= limit || read >= OF_COMMIT_READ_MAX) break;
    }
    results.set(commit, of);
  }
  return results;
}

/** Returns the attestation with an id, or null if the organization has none. */
export async function attestationById(
  documents: Documents,
  org: string,
  id: string,
): Promise<AttestationDocument | null> {
  const attestation = id.length > 100 ? null : await documents.collection(attestations).get(id);
  return attestation?.org === org ? attestation : null;
}

/**
 * Returns the attestations of a trail with a name, newest first.
 *
 * @param name `<artifact>.<name>` selects the attestations of that artifact in the template
 */
export async function attestationsOfTrail(
  documents: Documents,
  flow: string,
  trail: string,
  name: string,
): Promise<AttestationDocument[]> {
  const dot = name.indexOf('.');
  const results = await findNewest(documents, { stream: streams.trail(flow, trail), name: name.slice(dot + 1) });
  return dot === -1 ? results : results.filter(({ template }) => template === name.slice(0, dot));
}

/** Returns the attestations of an artifact in a flow with a name, newest first. They name its fingerprint, or they awaited it. */
export async function attestationsOfArtifact(
  documents: Documents,
  flow: string,
  fingerprint: string,
  name: string,
): Promise<AttestationDocument[]> {
  const reports = await documents.collection(provenances).find({
    where: { 'first.flow.id': flow, fingerprint },
    order: orderBy('-first.reportedAt', '-first.artifactId'),
    limit: TRAILS_MAX,
  });
  const results: AttestationDocument[] = [];
  for (const { doc } of reports) {
    const subject = { in: subjectsOfReport(doc) };
    results.push(...(await findNewest(documents, { stream: doc.stream, subject, name })));
  }
  return results.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).slice(0, OF_NAME_MAX);
}

async function findNewest(documents: Documents, where: Query['where']): Promise<AttestationDocument[]> {
  const results = await documents.collection(attestations).find({ where, order: NEWEST_FIRST, limit: OF_NAME_MAX });
  return results.map(({ doc }) => doc);
}
