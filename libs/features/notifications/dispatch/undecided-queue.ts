import { index } from '@assurance/contracts/events/aggregate';
import type { WorkItem } from '@assurance/event-sourcing/work-queue/work-queue';
import type { CollectionDefinition } from '@assurance/storage-ports';

/** Commits of an environment that wait until its deployments are decided. */
export interface UndecidedCommits {
  /** Seqs; both ends included. */
  readonly from: number;
  readonly to: number;
}

export type UndecidedQueue = CollectionDefinition<WorkItem<UndecidedCommits>>;

const indexes: UndecidedQueue['indexes'] = [index('by_time', 'due', 'notBefore')];

/** What has to be sent to targets. The document's id is the stream. */
export const undecidedMessages: UndecidedQueue = { name: 'undecided_messages', indexes };
/** What has to be published. The document's id is the stream. */
export const undecidedEvents: UndecidedQueue = { name: 'undecided_events', indexes };
