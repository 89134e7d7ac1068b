import type { DomainEvent, EventMeta } from '@assurance/contracts-events';
import type { CollectionDefinition, Documents } from '@assurance/storage-ports';

/** A read model that follows the feed. */
export interface View {
  /** Its progress is kept under this name. */
  readonly name: string;
  /**
   * What its documents are made like, from 1. A greater one than that of the documents that are there has the view built again at start, and
   * nobody reads it before that: rows of an older fold are never taken for those of this one.
   */
  readonly version: number;
  /** All collections that it keeps: each generation of the view has its own of each. */
  readonly collections: readonly CollectionDefinition<object>[];
  /** Kinds of streams that it is made of. */
  readonly kinds: ReadonlySet<string>;
  /** Types of events that it takes. */
  readonly types: ReadonlySet<string>;
  /**
   * Takes one event of `types`. Events of one stream come in order the first time; any may come again, even while or after later ones of its
   * stream are taken, and then changes nothing. Commutative across streams.
   */
  take(documents: Documents, event: DomainEvent, meta: EventMeta): Promise<void>;
}
