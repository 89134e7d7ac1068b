import type { EventMeta } from '@assurance/contracts/events/event';
import { documentMemory } from '@assurance/event-sourcing/projection/document-memory';
import { groupBy } from '@assurance/kernel';
import type { Collection, Documents } from '@assurance/storage-ports';
import { BEGINNING, digestAt, type FeedPage, feedPages, PAGE_COMMITS, pageId } from './pages';

/** The newest page that this process wrote to, by organization. There may be newer pages. */
const newestPages = documentMemory<Pick<FeedPage, 'number'>>();

/**
 * Appends commits to the feeds of their organizations. A repeated commit changes nothing while its page is the last one. Later it is in the feed
 * twice, and its events have the same ids again.
 */
export async function appendToFeed(
  documents: Documents,
  commits: readonly Pick<EventMeta, 'org' | 'stream' | 'seq'>[],
): Promise<void> {
  for (const [org, all] of groupBy(commits, (commit) => commit.org)) {
    await append(documents, org, [...new Set(all.map(({ stream, seq }) => `${stream}#${seq}`))]);
  }
}

async function append(documents: Documents, org: string, commits: readonly string[]): Promise<void> {
  const pages = documents.collection(feedPages);
  const memory = newestPages(pages);
  const cachedPage = memory.get(org);
  let page: FeedPage = cachedPage === undefined ? await newestPage(pages, org) : { ...firstPage(org), ...cachedPage };
  for (let remainingCommits = commits; remainingCommits.length > 0;) {
    const empty: FeedPage = { ...page, commits: [] };
    const isCached = page.number === cachedPage?.number;
    let [merged, rest, isGone]: [FeedPage, readonly string[], boolean] = [empty, remainingCommits, false];
    await pages.merge([pageId(org, page.number)], (current) => {
      isGone = isCached && current === null;
      if (isGone) return undefined;
      const before = current ?? empty;
      const there = new Set(before.commits);
      const fresh = remainingCommits.filter((commit) => !there.has(commit));
      const room = Math.max(0, PAGE_COMMITS - before.commits.length);
      merged = { ...before, commits: [...before.commits, ...fresh.slice(0, room)] };
      rest = fresh.slice(room);
      return room === 0 || fresh.length === 0 ? undefined : merged;
    });
    if (isGone) {
      // The documents were lost, and are created again.
      memory.delete(org);
      return append(documents, org, remainingCommits);
    }
    if (page.number !== cachedPage?.number) memory.set(org, { number: page.number });
    remainingCommits = rest;
    const start = digestAt(merged, merged.commits.length);
    page = { org, number: page.number + 1, start, commits: [] };
  }
}

async function newestPage(pages: Collection<FeedPage>, org: string): Promise<FeedPage> {
  const [newest] = await pages.find({ where: { org }, order: [['number', 'desc']], limit: 1 });
  return newest?.doc ?? firstPage(org);
}

function firstPage(org: string): FeedPage {
  return { org, number: 0, start: BEGINNING, commits: [] };
}
