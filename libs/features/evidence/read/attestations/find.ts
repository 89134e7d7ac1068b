import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { pageBeside, type PageFound, pageWithin } from '@assurance/event-sourcing/projection/beside';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { type AttestationDocument, attestations, subjectsOf } from '@assurance/flows/domain/attestation';
import { provenances } from '@assurance/flows/domain/provenance';
import type { Documents, Query } from '@assurance/storage-ports';

/** The most attestations of one name that an answer holds. */
const OF_NAME_MAX = 100;
/** The most trails of a flow in which an artifact's attestations are looked for: the newest. */
const TRAILS_MAX = 100;
const NEWEST_FIRST = orderBy('-at', '-id');

export interface AttestationFilter {
  readonly org: string;
  /** Id of a flow. */
  readonly flow: string | null;
  readonly type: string | null;
}

/** One page of attestations, newest first. */
export async function listAttestations(
  documents: Documents,
  { org, flow, type }: AttestationFilter,
  { page, perPage, cursor = null }: PageRequest,
): Promise<PageFound<AttestationDocument>> {
  const where = { ...(flow === null ? { org } : { flow }), ...(type === null ? {} : { type }) };
  const collection = documents.collection(attestations);
  if (cursor !== null) return pageBeside(collection, { where, order: NEWEST_FIRST }, {}, cursor, perPage);
  const skip = (page - 1) * perPage;
  const from = Math.max(0, skip - 1);
  const read = await collection.find({ where, order: NEWEST_FIRST, skip: from, limit: perPage + 1 + skip - from });
  return pageWithin(NEWEST_FIRST, read, { hasPrevious: skip > 0, perPage });
}

/** The attestation of an id; null where the organization has none. */
export async function attestationById(
  documents: Documents,
  org: string,
  id: string,
): Promise<AttestationDocument | null> {
  const found = id.length > 100 ? null : await documents.collection(attestations).get(id);
  return found?.org === org ? found : null;
}

/**
 * The attestations of a trail with a name, newest first.
 *
 * @param name `<artifact>.<name>` means those of that artifact in the template
 */
export async function attestedInTrail(
  documents: Documents,
  flow: string,
  trail: string,
  name: string,
): Promise<AttestationDocument[]> {
  const cut = name.indexOf('.');
  const found = await ofName(documents, { stream: streams.trail(flow, trail), name: name.slice(cut + 1) });
  return cut === -1 ? found : found.filter(({ template }) => template === name.slice(0, cut));
}

/** The attestations of an artifact in a flow with a name, newest first: those that name it by fingerprint, and those that awaited it. */
export async function attestedOfArtifact(
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
  const found: AttestationDocument[] = [];
  for (const { doc } of reports) {
    const { template, gitCommit } = doc.first;
    const subject = { in: subjectsOf({ fingerprint, template, gitCommit }) };
    found.push(...(await ofName(documents, { stream: doc.stream, subject, name })));
  }
  return found.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).slice(0, OF_NAME_MAX);
}

async function ofName(documents: Documents, where: Query['where']): Promise<AttestationDocument[]> {
  const found = await documents.collection(attestations).find({ where, order: NEWEST_FIRST, limit: OF_NAME_MAX });
  return found.map(({ doc }) => doc);
}
