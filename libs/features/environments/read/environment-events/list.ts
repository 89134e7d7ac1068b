import {
  EMPTY_PAGE,
  pageBeside,
  type PageOfDocuments,
  pageFromDocuments,
} from '@assurance/event-sourcing/projection/cursor-page';
import type { PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Documents } from '@assurance/storage-ports';
import type { SnapshotRange } from '../snapshots/interval';
import { type EnvironmentEventRow, environmentEvents, eventsUpTo } from './rows';

/** The filter of a list of an environment's events. */
export interface EnvironmentEventFilter {
  /** Id of the environment. */
  readonly environment: string;
  readonly range: SnapshotRange;
  /** Ids of repositories; null for all, and for events without provenance too. */
  readonly repos: readonly string[] | null;
  readonly oldestFirst: boolean;
}

/**
 * One page of what happened in an environment, as fast deep down as at the top: its numbers are known. Only a list of some
 * repositories passes over those that stand before the page, in an index.
 */
export async function listEnvironmentEvents(
  documents: Documents,
  { environment, range, repos, oldestFirst }: EnvironmentEventFilter,
  { page, perPage, cursor = null }: PageRequest,
): Promise<PageOfDocuments<EnvironmentEventRow>> {
  const skip = (page - 1) * perPage;
  if (range.first > range.last || repos?.length === 0) return EMPTY_PAGE;
  const lowest = (range.first === 1 ? 0 : await eventsUpTo(documents, environment, range.first - 1)) + 1;
  const highest = await eventsUpTo(documents, environment, range.last);
  if (cursor === null && skip > highest - lowest) return EMPTY_PAGE;
  const order = [['number', oldestFirst ? 'asc' : 'desc']] as const;
  const rows = documents.collection(environmentEvents);
  const where = { environment, ...(repos === null ? {} : { repo: { in: repos } }) };
  if (cursor !== null) {
    return pageBeside(rows, { where, order }, { gte: lowest, lte: highest }, cursor, perPage);
  }
  // With the rows around the page, which its links name.
  const from = Math.max(0, skip - 1);
  const limit = perPage + 1 + skip - from;
  const read =
    repos === null
      ? await rows.find({ where: { ...where, number: numbers(from, limit) }, order, limit })
      : await rows.find({ where: { ...where, number: { gte: lowest, lte: highest } }, order, skip: from, limit });
  return pageFromDocuments(order, read, { hasPrevious: skip > 0, perPage });

  function numbers(skip: number, limit: number) {
    return oldestFirst
      ? { gte: lowest + skip, lte: Math.min(highest, lowest + skip + limit - 1) }
      : { gte: Math.max(lowest, highest - skip - limit + 1), lte: highest - skip };
  }
}
