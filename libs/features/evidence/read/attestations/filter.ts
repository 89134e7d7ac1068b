import { orderBy } from '@assurance/contracts/events/aggregate';
import {
  type Cursor,
  type ListKey,
  pageBeside,
  type PageOfDocuments,
  pageFromDocuments,
} from '@assurance/event-sourcing/projection/cursor-page';
import { pageOf as countedPage, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import { type AttestationDocument, attestations } from '@assurance/flows/domain/attestation';
import type { Collection, Documents, StoredDocument, Query } from '@assurance/storage-ports';

/** The most attestations that a page compares with filters that no index covers, and how many it reads at once. */
const COMPARED_MAX = 10_000;
const PIECE = 500;
const NEWEST_FIRST = orderBy('-at', '-id');

/** A filter of the attestations of an organization. Empty lists and null do not filter. */
export interface AttestationFilter {
  readonly org: string;
  /** Ids of flows. */
  readonly flows: readonly string[];
  readonly types: readonly string[];
  readonly name: string | null;
  readonly compliant: boolean | null;
  /** Integer milliseconds, both inclusive. */
  readonly from: number | null;
  readonly to: number | null;
  /** Returns the names that match. Null if all names match. */
  readonly nameRule: ((names: readonly string[]) => Promise<ReadonlySet<string>>) | null;
}

/** The query that an index answers, and the remaining conditions. */
interface Plan {
  readonly where: Query['where'];
  readonly bounds: { readonly gte?: number; readonly lte?: number };
  readonly matches: ((doc: AttestationDocument) => boolean) | null;
}

/** Returns one page of attestations, newest first. If no index covers the filter, a page may have fewer rows than requested, even if more exist. */
export async function listAttestations(
  documents: Documents,
  filter: AttestationFilter,
  request: PageRequest,
): Promise<PageOfDocuments<AttestationDocument>> {
  const { where, bounds, matches } = planOf(filter);
  const collection = documents.collection(attestations);
  const { page, perPage, cursor = null } = request;
  const list = { where, order: NEWEST_FIRST };
  if (matches !== null || filter.nameRule !== null)
    return readComparing(collection, { where, bounds, matches }, filter, request);
  if (cursor !== null) return pageBeside(collection, list, bounds, cursor, perPage);
  const skip = (page - 1) * perPage;
  const from = Math.max(0, skip - 1);
  const limit = perPage + 1 + skip - from;
  const read = await collection.find({ ...list, where: withTimeBounds(where, bounds), skip: from, limit });
  return pageFromDocuments(NEWEST_FIRST, read, { hasPrevious: skip > 0, perPage });
}

/** Returns one page of the attestations of a flow, newest first, and their total number. */
export async function attestationsOfFlow(
  documents: Documents,
  flow: string,
  { from, to }: Pick<AttestationFilter, 'from' | 'to'>,
  { page, perPage }: PageRequest,
): Promise<{ readonly documents: readonly StoredDocument<AttestationDocument>[]; readonly count: number }> {
  const where = withTimeBounds({ flow }, timeBoundsOf({ from, to }));
  return countedPage(
    documents.collection(attestations),
    { where, order: NEWEST_FIRST, matches: null },
    { page, perPage },
  );
}

/** Whether indexes cover the filter. If so, a page can also end before a row. */
export function isIndexed(filter: AttestationFilter): boolean {
  return filter.nameRule === null && planOf(filter).matches === null;
}

function planOf({ org, flows, types, name, compliant, from, to }: AttestationFilter): Plan {
  const [flow] = flows;
  const [type] = types;
  const byFlow = flows.length === 1 && flow !== undefined;
  const byName = !byFlow && name !== null;
  const byType = !byName && types.length === 1 && type !== undefined;
  const tests: ((doc: AttestationDocument) => boolean)[] = [];
  if (flows.length > 0 && !byFlow) tests.push((doc) => flows.includes(doc.flow));
  if (types.length > 0 && !byType) tests.push((doc) => types.includes(doc.type));
  if (name !== null && !byName) tests.push((doc) => doc.name === name);
  if (compliant !== null) tests.push((doc) => doc.compliant === compliant);
  return {
    where: { ...(byFlow ? { flow } : { org }), ...(byName ? { name } : {}), ...(byType ? { type } : {}) },
    bounds: timeBoundsOf({ from, to }),
    matches: tests.length === 0 ? null : (doc) => tests.every((test) => test(doc)),
  };
}

function timeBoundsOf({ from, to }: Pick<AttestationFilter, 'from' | 'to'>): Plan['bounds'] {
  return { ...(from === null ? {} : { gte: from }), ...(to === null ? {} : { lte: to }) };
}

function withTimeBounds(where: Query['where'], bounds: Plan['bounds']): Query['where'] {
  return bounds.gte === undefined && bounds.lte === undefined ? where : { ...where, at: bounds };
}

/** Reads until the page is full or the comparison limit is reached. The next page begins after the last row that was read. */
async function readComparing(
  collection: Collection<AttestationDocument>,
  { where, bounds, matches }: Plan,
  { nameRule: named }: AttestationFilter,
  { page, perPage, cursor = null }: PageRequest,
): Promise<PageOfDocuments<AttestationDocument>> {
  const results: StoredDocument<AttestationDocument>[] = [];
  const fits = new Map<string, boolean>();
  let skip = cursor === null ? (page - 1) * perPage : 0;
  let at: Cursor | null = cursor;
  for (let read = 0; read < COMPARED_MAX; read += PIECE) {
    const piece = await pieceOf(collection, { where, bounds }, at);
    const candidates = piece.filter(({ doc }) => matches === null || matches(doc));
    if (named !== null) await lookUpNames(named, candidates, fits);
    for (const candidate of candidates) {
      if (named !== null && fits.get(candidate.doc.name) !== true) continue;
      if (skip > 0) skip -= 1;
      else if (results.length < perPage) results.push(candidate);
      else return pageOf(results, true);
    }
    const last = piece.at(-1);
    if (piece.length < PIECE || last === undefined) return pageOf(results, false);
    at = { side: 'after', key: keyOf(last) };
  }
  const key = at?.key ?? null;
  const filled = pageOf(results, true);
  return { ...filled, first: filled.first ?? key, last: key };
}

async function pieceOf(
  collection: Collection<AttestationDocument>,
  { where, bounds }: Pick<Plan, 'where' | 'bounds'>,
  cursor: Cursor | null,
): Promise<readonly StoredDocument<AttestationDocument>[]> {
  const list = { where, order: NEWEST_FIRST };
  if (cursor !== null) return (await pageBeside(collection, list, bounds, cursor, PIECE)).documents;
  return collection.find({ ...list, where: withTimeBounds(where, bounds), limit: PIECE });
}

/** Looks up each name once. */
async function lookUpNames(
  nameRule: NonNullable<AttestationFilter['nameRule']>,
  candidates: readonly StoredDocument<AttestationDocument>[],
  fits: Map<string, boolean>,
): Promise<void> {
  const names = [...new Set(candidates.map(({ doc }) => doc.name))].filter((name) => !fits.has(name));
  if (names.length === 0) return;
  const fitting = await nameRule(names);
  for (const name of names) fits.set(name, fitting.has(name));
}

const keyOf = ({ doc: { at, id } }: StoredDocument<AttestationDocument>): ListKey => [at, id];

function pageOf(
  results: readonly StoredDocument<AttestationDocument>[],
  more: boolean,
): PageOfDocuments<AttestationDocument> {
  const [first, last] = [results[0], results.at(-1)];
  return {
    documents: results,
    previous: null,
    first: first === undefined ? null : keyOf(first),
    last: last === undefined ? null : keyOf(last),
    more,
  };
}
