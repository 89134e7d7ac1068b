import { type CollectionShape, index } from '@assurance/contracts/events/aggregate';
import type { WorkItem } from '@assurance/event-sourcing/work-queue/work-queue';
import type { FileVersion } from './download';

/** The addresses to read: one work item for each. Its id is the digest of the address, because the address may contain a token. */
export const sourceItems: CollectionShape<WorkItem<object>> = {
  name: 'due_vulnerability_sources',
  indexes: [index('by_time', 'due', 'notBefore')],
};

/** The result of the last read of an address. One document for each address, under the same id. */
export interface SourceDocument extends FileVersion {
  /** The ids of the organizations that have imported this version, ascending, separated by spaces. */
  readonly organizations: string;
  /** Why the last read failed; null if it did not. */
  readonly problem: string | null;
  readonly failing: boolean;
  /** When the address was last read: integer milliseconds. */
  readonly at: number;
}

export const sources: CollectionShape<SourceDocument> = {
  name: 'vulnerability_sources',
  indexes: [index('by_failure', 'failing', 'at')],
};

/** The longest time that can be configured between two reads of an address (milliseconds). */
const EVERY_MAX_MS = 7 * 24 * 3_600_000;

/** Selects addresses if their last read failed. An address that is no longer configured is selected for at most two weeks. */
export function failingSources(now: number) {
  return { failing: true, at: { gte: now - 2 * EVERY_MAX_MS } };
}
