import type { Documents } from '@assurance/storage-ports';
import type { PageRequest } from '../pages';
import type { SnapshotRange } from '../snapshots/interval';
import { EVENT_ORDER, type EnvironmentEventRow, environmentEvents } from './rows';

/** What a list of an environment's events shows. */
export interface EnvironmentEventFilter {
  /** Id of the environment. */
  readonly environment: string;
  readonly range: SnapshotRange;
  /** Ids of repositories; null for all, and for events without provenance too. */
  readonly repos: readonly string[] | null;
  readonly oldestFirst: boolean;
}

/** One page of what happened in an environment (WIRE 5.1). */
export async function listEnvironmentEvents(
  documents: Documents,
  { environment, range: { first, last }, repos, oldestFirst }: EnvironmentEventFilter,
  { page, perPage }: PageRequest,
): Promise<EnvironmentEventRow[]> {
  const skip = (page - 1) * perPage;
  if (first > last || repos?.length === 0 || !Number.isSafeInteger(skip)) return [];
  const found = await documents.collection(environmentEvents).find({
    where: { environment, ...(repos === null ? {} : { repo: { in: repos } }), snapshot: { gte: first, lte: last } },
    order: oldestFirst ? EVENT_ORDER.oldestFirst : EVENT_ORDER.newestFirst,
    skip,
    limit: perPage,
  });
  return found.map(({ doc }) => doc);
}
