import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import { sha256 } from '@assurance/kernel';

/** How many commits a page of the feed has when it is full. */
export const PAGE_COMMITS = 128;

/**
 * A part of the order in which the commits of an organization came to the view. Order of arrival, since times of several processes have none: what comes
 * late goes to the end, where readers still find it. A page is changed by one merge at a time, so that two processes never take one place.
 */
export interface FeedPage {
  readonly org: string;
  /** From 0. */
  readonly number: number;
  /** The digest of everything before the page. */
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

/** The digest of an order with one more commit. */
export function chained(digest: string, commit: string): string {
  return sha256(`${digest}\n${commit}`).slice(0, 16);
}

/** The digest of all that stands before a place of a page. */
export function digestAt({ start, commits }: Pick<FeedPage, 'start' | 'commits'>, place: number): string {
  return commits.slice(0, place).reduce(chained, start);
}

/** The digest before the first commit. */
export const BEGINNING = '0'.repeat(16);
