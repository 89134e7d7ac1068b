import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import { sha256 } from '@assurance/kernel';

/** The number of commits in a full page of the feed. */
export const PAGE_COMMITS = 128;

/**
 * A part of an organization's feed, which has commits in the order of their arrival at the view. The times of several processes give no order. A late
 * commit goes to the end, where readers still find it. One merge at a time changes a page, so two processes never write to the same place.
 */
export interface FeedPage {
  readonly org: string;
  /** Number of the page, from 0. */
  readonly number: number;
  /** The digest of all commits before the page. */
  readonly start: string;
  /** Stream and seq of each commit, with `#` between. */
  readonly commits: readonly string[];
}

export const feedPages: CollectionShape<FeedPage> = {
  name: 'view_event_feed',
  deferred: 'last',
  mergedOften: true,
  indexes: [index('by_number', 'org', '-number')],
};

export function pageId(org: string, number: number): string {
  return `${org}/${number}`;
}

/** The digest of a list of commits after one more commit. */
export function chainDigest(digest: string, commit: string): string {
  return sha256(`${digest}\n${commit}`).slice(0, 16);
}

/** The digest of all commits before a place in a page. */
export function digestAt({ start, commits }: Pick<FeedPage, 'start' | 'commits'>, place: number): string {
  return commits.slice(0, place).reduce(chainDigest, start);
}

/** The digest before the first commit. */
export const BEGINNING = '0'.repeat(16);
