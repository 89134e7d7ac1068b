import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { WorkItem } from '@assurance/event-sourcing/work-queue/work-queue';
import type { FileVersion } from './download';

/** Addresses that are to be read: one work item each, under the digest of the address, which may hold a token. */
export const sourceItems: CollectionShape<WorkItem<object>> = {
  name: 'due_vulnerability_sources',
  indexes: [index('by_time', 'due', 'notBefore')],
};

/** How the last read of an address ended. One document each, under the same id. */
export interface SourceDocument extends FileVersion {
  /** The ids of the organizations that have imported this version, ascending, with spaces between. */
  readonly organizations: string;
  /** Why the last read failed; null if it did not. */
  readonly problem: string | null;
  readonly failing: boolean;
  /** When it was read last: integer milliseconds. */
  readonly at: number;
}

export const sources: CollectionShape<SourceDocument> = {
  name: 'vulnerability_sources',
  indexes: [index('by_failure', 'failing', 'at')],
};

/** The longest time between two reads of an address that is configured (milliseconds). */
const EVERY_MAX_MS = 7 * 24 * 3_600_000;

/** Addresses whose last read failed. One that is not configured any more counts for two weeks at most. */
export function failingSources(now: number) {
  return { failing: true, at: { gte: now - 2 * EVERY_MAX_MS } };
}
