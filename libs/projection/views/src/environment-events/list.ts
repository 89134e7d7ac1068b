import type { Documents } from '@assurance/storage-ports';
import type { PageRequest } from '../listing';
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
  { page, perPage }: PageRequest,
): Promise<EnvironmentEventRow[]> {
  const skip = (page - 1) * perPage;
  if (range.first > range.last || repos?.length === 0) return [];
  const lowest = (range.first === 1 ? 0 : await eventsUpTo(documents, environment, range.first - 1)) + 1;
  const highest = await eventsUpTo(documents, environment, range.last);
  if (skip > highest - lowest) return [];
  const order = [['number', oldestFirst ? 'asc' : 'desc']] as const;
  const rows = documents.collection(environmentEvents);
  const found =
    repos === null
      ? await rows.find({ where: { environment, number: pageOf() }, order, limit: perPage })
      : await rows.find({
          where: { environment, repo: { in: repos }, number: { gte: lowest, lte: highest } },
          order,
          skip,
          limit: perPage,
        });
  return found.map(({ doc }) => doc);

  function pageOf() {
    return oldestFirst
      ? { gte: lowest + skip, lte: Math.min(highest, lowest + skip + perPage - 1) }
      : { gte: Math.max(lowest, highest - skip - perPage + 1), lte: highest - skip };
  }
}
