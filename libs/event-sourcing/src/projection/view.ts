import type { DomainEvent, EventMeta } from '@assurance/contracts/events/event';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';

/** An event, and where it happened. */
export interface RecordedEvent<Event extends DomainEvent = DomainEvent> {
  readonly event: Event;
  readonly meta: EventMeta;
}

/** A read model that follows the feed. */
export interface View {
  /** Identifies the view in stored checkpoints and generations. */
  readonly name: string;
  /**
   * The version of its documents, from 1. If the stored documents have a lower version, the view is built again at start. Queries never
   * read rows of an older version.
   */
  readonly version: number;
  /** The collections that the view writes. Each generation of the view has its own copy of each. */
  readonly collections: readonly CollectionDefinition<object>[];
  /** The kinds of streams that the view reads. */
  readonly kinds: ReadonlySet<string>;
  /** The types of events that `take` gets. */
  readonly types: ReadonlySet<string>;
  /** Set if processing an event may take seconds. Such views follow the feed in a separate consumer group, so that they delay no other view. */
  readonly slow?: true;
  /**
   * Applies events of `types` to the documents of the view. The caller bounds their number and bytes.
   *
   * The events of one stream arrive in order the first time. Streams may arrive in any order relative to each other. Each event may be delivered
   * again: in the same call, while later events of its stream are applied, or after them. A repeated event must change nothing. A call that fails
   * or is stopped may have written some of its documents; its events are delivered again, perhaps together with others.
   */
  take(documents: Documents, recorded: readonly RecordedEvent[]): Promise<void>;
}
