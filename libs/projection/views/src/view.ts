import type { DomainEvent, EventMeta } from '@assurance/contracts-events';
import type { Documents } from '@assurance/storage-ports';

/** A read model that follows the feed. */
export interface View {
  /** Its progress is kept under this name. */
  readonly name: string;
  /** Kinds of streams that it is made of. */
  readonly kinds: ReadonlySet<string>;
  /** Types of events that it takes. */
  readonly types: ReadonlySet<string>;
  /**
   * Takes one event of `types`. Events of one stream come in order; any may come again. Idempotent, and commutative across streams.
   */
  take(documents: Documents, event: DomainEvent, meta: EventMeta): Promise<void>;
}
