import { index } from '@assurance/contracts/events/aggregate';
import type { WorkItem } from '@assurance/event-sourcing/work-queue/work-queue';
import type { CollectionDefinition } from '@assurance/storage-ports';

/** The work item of a destination that has messages to send. */
export type DestinationWork = Record<never, never>;

type MarkedQueue = CollectionDefinition<WorkItem<DestinationWork>>;

const indexes: MarkedQueue['indexes'] = [index('by_time', 'due', 'notBefore')];

/** One document for each HTTP destination. It has the current sender, and the time until which sending pauses. */
export const destinationItems: MarkedQueue = { name: 'due_destinations', indexes };

/** The same for mail. Mail destinations share a few connections, and a worker with a connection takes the next destination. */
export const mailItems: MarkedQueue = { name: 'due_mail', indexes };
