import type { EventMeta } from '@assurance/contracts/events/event';
import { grouped } from '@assurance/kernel';
import type { Documents } from '@assurance/storage-ports';
import { BEGINNING, digestAt, type FeedPage, feedPages, PAGE_COMMITS, pageId } from './pages';

/**
 * Appends commits to the feeds of their organizations. A commit that comes again while its page is the last one changes nothing; later it stands in the
 * feed twice, and its events have the ids that they had before.
 */
export async function appendToFeed(
  documents: Documents,
  commits: readonly Pick<EventMeta, 'org' | 'stream' | 'seq'>[],
): Promise<void> {
  for (const [org, all] of grouped(commits, (commit) => commit.org)) {
    await append(documents, org, [...new Set(all.map(({ stream, seq }) => `${stream}#${seq}`))]);
  }
}

async function append(documents: Documents, org: string, commits: readonly string[]): Promise<void> {
  const pages = documents.collection(feedPages);
  const [newest] = await pages.find({ where: { org }, order: [['number', 'desc']], limit: 1 });
  let page: FeedPage = newest?.doc ?? { org, number: 0, start: BEGINNING, commits: [] };
  for (let remaining = commits; remaining.length > 0;) {
    const empty: FeedPage = { ...page, commits: [] };
    let [merged, rest]: [FeedPage, readonly string[]] = [empty, remaining];
    await pages.merge([pageId(org, page.number)], (current) => {
      const before = current ?? empty;
      const there = new Set(before.commits);
      const fresh = remaining.filter((commit) => !there.has(commit));
      const room = Math.max(0, PAGE_COMMITS - before.commits.length);
      merged = { ...before, commits: [...before.commits, ...fresh.slice(0, room)] };
      rest = fresh.slice(room);
      return room === 0 || fresh.length === 0 ? undefined : merged;
    });
    remaining = rest;
    const start = digestAt(merged, merged.commits.length);
    page = { org, number: page.number + 1, start, commits: [] };
  }
}
