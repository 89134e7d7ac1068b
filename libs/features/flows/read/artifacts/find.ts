import { orderBy } from '@assurance/contracts/events/aggregate';
import { type Documents, findPages, type Query } from '@assurance/storage-ports';
import { type ProvenanceDocument, provenances } from '../../domain/provenance';

const PREFIX = /^[0-9a-f]{5,64}$/;
/** The most reports that are searched for an artifact, and how many are read at once. */
const FOUND_MAX = 1_000;
const TOGETHER = 250;
const PIECE = 50;
const NEWEST_FIRST = orderBy('-first.reportedAt', '-first.artifactId');

/** Returns the range of texts that begin with a prefix of hexadecimal digits, or null for another text. */
export function prefixRange(prefix: string): { readonly gte: string; readonly lte: string } | null {
  return PREFIX.test(prefix) ? { gte: prefix, lte: `${prefix}g` } : null;
}

/** The scope of a look-up by fingerprint or commit: a flow, or the whole organization. */
export type LookupScope = { readonly flow: string } | { readonly org: string };

/** The lengths of a whole fingerprint and of a whole commit (SHA-1 or SHA-256), in characters. */
const WHOLE = { fingerprint: [64], 'first.gitCommit': [40, 64] } as const satisfies Record<string, readonly number[]>;

/**
 * Returns reports by the beginning of their fingerprint or commit, newest first. For a whole value it reads the newest ones. For a part it reads the
 * first ones in the order of the value.
 *
 * @param limit the most reports
 */
export async function reportsOf(
  documents: Documents,
  within: LookupScope,
  field: 'fingerprint' | 'first.gitCommit',
  prefix: string,
  limit = FOUND_MAX,
): Promise<ProvenanceDocument[]> {
  const range = prefixRange(prefix);
  if (range === null) return [];
  const scope: Query['where'] = 'flow' in within ? { 'first.flow.id': within.flow } : { org: within.org };
  const query: Omit<Query, 'limit'> = WHOLE[field].some((whole) => whole === prefix.length)
    ? { where: { ...scope, [field]: prefix }, order: NEWEST_FIRST }
    : { where: { ...scope, [field]: range } };
  // Collect by id, because a report that arrives meanwhile shifts the pages.
  const results = new Map<string, ProvenanceDocument>();
  for await (const page of findPages(documents.collection(provenances), query, TOGETHER)) {
    for (const { id, doc } of page) results.set(id, doc);
    if (results.size >= limit) break;
  }
  return [...results.values()].slice(0, limit).sort(newestFirst);
}

/** Sorts reports by the time of the first report in their stream. */
export function newestFirst({ first: a }: ProvenanceDocument, { first: b }: ProvenanceDocument): number {
  return b.reportedAt - a.reportedAt || (a.artifactId < b.artifactId ? 1 : -1);
}

/**
 * Returns the commit of the newest other artifact of a flow that was reported before an artifact.
 *
 * @param fingerprint if it is unknown in the flow, every artifact counts as earlier
 */
export async function latestCommitBefore(
  documents: Documents,
  flow: string,
  fingerprint: string,
  branch: string | undefined,
): Promise<string | null> {
  const [own] = (await reportsOf(documents, { flow }, 'fingerprint', fingerprint)).filter(
    (doc) => doc.fingerprint === fingerprint,
  );
  const where = {
    'first.flow.id': flow,
    ...(branch === undefined ? {} : { 'first.commit.branch': branch }),
    ...(own === undefined ? {} : { 'first.reportedAt': { lte: own.first.reportedAt } }),
  };
  for await (const page of findPages(documents.collection(provenances), { where, order: NEWEST_FIRST }, PIECE)) {
    const otherArtifact = page.find(({ doc }) => doc.fingerprint !== fingerprint);
    if (otherArtifact !== undefined) return otherArtifact.doc.first.gitCommit;
  }
  return null;
}
