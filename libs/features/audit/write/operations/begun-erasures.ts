import { isErasure, type OrganizationErased } from '@assurance/contracts/access/events';
import { streams } from '@assurance/contracts/events/streams';
import { ErasedStreams } from '@assurance/event-sourcing/erasures';
import { historyOf } from '@assurance/event-sourcing/sealing/read';
import type { EventStore } from '@assurance/storage-ports';

/**
 * Checks whether the erasure of an organization began, by its signed records only. Streams of an organization share data, so during an interrupted
 * erasure the remaining streams may lack data that was removed with others. It does not check whether a record names a removed stream.
 */
export class BegunErasures {
  private readonly begunStreams = new Set<string>();

  constructor(private readonly events: EventStore) {}

  /** @param org id of the organization */
  async has(org: string): Promise<boolean> {
    if (this.begunStreams.has(org)) return true;
    const stream = streams.organization(org);
    const erasedStreams = new ErasedStreams();
    for await (const { event } of historyOf(this.events, stream)) {
      if (!isErasure(event) || erasedStreams.take(stream, event as OrganizationErased) !== null) continue;
      this.begunStreams.add(org);
      return true;
    }
    return false;
  }
}
