import { isErasure, type OrganizationErased } from '@assurance/contracts/access/events';
import { streams } from '@assurance/contracts/events/streams';
import { ErasedStreams } from '@assurance/event-sourcing/erasures';
import { historyOf } from '@assurance/event-sourcing/sealing/read';
import type { EventStore } from '@assurance/storage-ports';

/**
 * Whether the erasure of an organization began, by its signed records alone. Streams of an organization share data: while the erasure is interrupted,
 * what is left of them may lack data that went with others. A stream that is gone has to be named by a record, which this does not look at.
 */
export class BegunErasures {
  private readonly begun = new Set<string>();

  constructor(private readonly events: EventStore) {}

  /** @param org id of the organization */
  async has(org: string): Promise<boolean> {
    if (this.begun.has(org)) return true;
    const stream = streams.organization(org);
    const erased = new ErasedStreams();
    for await (const { event } of historyOf(this.events, stream)) {
      if (!isErasure(event) || erased.take(stream, event as OrganizationErased) !== null) continue;
      this.begun.add(org);
      return true;
    }
    return false;
  }
}
