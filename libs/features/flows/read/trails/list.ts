import { orderBy } from '@assurance/contracts/events/aggregate';
import { streams } from '@assurance/contracts/events/streams';
import { EMPTY_PAGE, type PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { countedPage } from '@assurance/event-sourcing/projection/days/read';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import { type Documents, findPages, type Query } from '@assurance/storage-ports';
import { flow as flows } from '../../domain/flow';
import { prefixRange } from '../artifacts/find';
import { countedTrailArtifacts, countedTrails, type ListedTrail, trailList, trailRows, type TrailScope } from './rows';

const PIECE = 500;

export interface TrailFilter {
  readonly org: string;
  /** Ids of flows. Null selects all. */
  readonly flows: readonly string[] | null;
  readonly fingerprint: string | null;
}

export interface MatchingTrails extends PageEnds {
  /** Streams of the trails. */
  readonly trails: readonly string[];
  readonly count: number;
}

/** Returns one page of trails, newest first, and their total number. */
export async function listTrails(
  documents: Documents,
  { org, flows: requestedFlows, fingerprint }: TrailFilter,
  page: PageRequest,
): Promise<MatchingTrails> {
  if (requestedFlows?.length === 0) return { ...EMPTY_PAGE, trails: [], count: 0 };
  const scopes: readonly TrailScope[] = requestedFlows === null ? [{ org }] : requestedFlows.map((flow) => ({ flow }));
  const lists = scopes.map((scope) => trailList(scope, fingerprint));
  const where: Query['where'] = {
    ...(requestedFlows === null ? { org } : { flow: { in: requestedFlows } }),
    ...(fingerprint === null ? {} : { fingerprint }),
  };
  const selection = { lists, where, window: null };
  if (fingerprint === null) {
    const { documents: trails, ...rest } = await countedPage(documents, countedTrails, selection, page);
    return { trails: trails.map(({ id }) => id), ...rest };
  }
  const { documents: trails, ...rest } = await countedPage(documents, countedTrailArtifacts, selection, page);
  return { trails: trails.map(({ doc }) => doc.trail), ...rest };
}

/** Returns the first trails whose own commit begins with a text, in the order of their commits, newest first among equal ones. */
export async function trailsOfCommit(
  documents: Documents,
  org: string,
  prefix: string,
  limit: number,
): Promise<readonly ListedTrail[]> {
  const range = prefixRange(prefix);
  if (range === null) return [];
  const query = { where: { org, commit: range }, order: orderBy('commit', '-createdAt', 'name'), limit };
  return (await documents.collection(trailRows).find(query)).map(({ doc }) => doc);
}

/** Returns the ids of the flows that have a tag. */
export async function findFlowsByTag(documents: Documents, org: string, [key, value]: readonly [string, string]) {
  const ids: string[] = [];
  for await (const page of findPages(documents.collection(flows.states), { where: { org } }, PIECE)) {
    for (const { doc } of page) if (Object.hasOwn(doc.tags, key) && doc.tags[key] === value) ids.push(doc.id);
  }
  return ids;
}

/** Flows by id. */
export async function flowsById(documents: Documents, ids: readonly string[]) {
  const results = await documents.collection(flows.states).getMany([...new Set(ids)].map(streams.flow));
  return new Map([...results.values()].map((state) => [state.id, state]));
}
