import type { DomainEvent, EventMeta } from '@assurance/contracts/events/event';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';

/** An event, and where it happened. */
export interface RecordedEvent<Event extends DomainEvent = DomainEvent> {
  readonly event: Event;
  readonly meta: EventMeta;
}

/** A read model that follows the feed. */
export interface View {
  /** Its checkpoints are kept under this name. */
  readonly name: string;
  /**
   * The version of its documents, from 1. If it is higher than that of the stored documents, the view is built again at start. Queries
   * never read rows of an older version.
   */
  readonly version: number;
  /** All collections that it keeps: each generation of the view has its own of each. */
  readonly collections: readonly CollectionDefinition<object>[];
  /** Kinds of streams that it is made of. */
  readonly kinds: ReadonlySet<string>;
  /** Types of events that it takes. */
  readonly types: ReadonlySet<string>;
  /** Some of its events take seconds: it follows the feed in a consumer group of its own, and delays no other view. */
  readonly slow?: true;
  /**
   * Takes events of `types`, of any streams; bounded in number and bytes by the caller. Events of one stream come in order the first time; any may
   * come again, in the same call too, even while or after later ones of its stream are taken, and then changes nothing. Commutative across
   * streams. What is stopped in the middle is taken again, perhaps in other company.
   */
  take(documents: Documents, recorded: readonly RecordedEvent[]): Promise<void>;
}
