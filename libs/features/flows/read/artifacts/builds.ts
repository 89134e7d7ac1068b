import { EMPTY_PAGE, type PageEnds } from '@assurance/event-sourcing/projection/cursor-page';
import { countedPage } from '@assurance/event-sourcing/projection/days/read';
import { anyOf, type PageRequest } from '@assurance/event-sourcing/projection/listing';
import type { Documents } from '@assurance/storage-ports';
import { type ArtifactRow, buildList, countedArtifacts } from './rows';

interface BuildFilter {
  readonly org: string;
  /** Ids of repositories. Each has its own list. Null selects all builds of the organization. */
  readonly repos: readonly string[] | null;
  /** Epoch seconds, both ends included. */
  readonly start: number;
  readonly end: number;
}

/** Returns one page of builds, newest first, and their total number. */
export async function listBuilds(
  documents: Documents,
  { org, repos, start, end }: BuildFilter,
  page: PageRequest,
): Promise<PageEnds & { readonly rows: readonly ArtifactRow[]; readonly count: number }> {
  if (repos?.length === 0) return { ...EMPTY_PAGE, rows: [], count: 0 };
  const lists = repos === null ? [buildList({ org })] : repos.map((repo) => buildList({ repo }));
  const where = { list: anyOf(lists.map(({ key }) => key)) };
  const selection = { lists, where, window: { start, end } };
  const { documents: rows, ...rest } = await countedPage(documents, countedArtifacts, selection, page);
  return { rows: rows.map(({ doc }) => doc), ...rest };
}

/** How many build times are read at once. */
const PIECE = 500;

/** Returns when the newest builds were reported (epoch seconds), newest first, and the total number of builds. */
export async function buildMoments(
  documents: Documents,
  filter: BuildFilter,
  limit: number,
): Promise<{ readonly moments: readonly number[]; readonly count: number }> {
  const moments: number[] = [];
  let count = 0;
  let cursor: PageRequest['cursor'] = null;
  for (let page = 1; moments.length < limit; page += 1) {
    const results: Awaited<ReturnType<typeof listBuilds>> = await listBuilds(documents, filter, {
      page,
      perPage: Math.min(PIECE, limit - moments.length),
      cursor,
    });
    if (cursor === null) count = results.count;
    moments.push(...results.rows.map(({ reportedAt }) => reportedAt));
    if (!results.more || results.last === null) break;
    cursor = { side: 'after', key: results.last };
  }
  return { moments, count };
}
