import type { Blobs } from './blobs';
import type { Documents } from './documents';
import type { EventStore } from './event-store';
import type { Feed } from './feed';

/** The four ports, opened. */
export interface Engines {
  readonly events: EventStore;
  readonly feed: Feed;
  readonly documents: Documents;
  readonly blobs: Blobs;
  /** Names the unavailable parts without which no request can be answered, in a few words each; empty if all of them work. */
  problems(): Promise<string[]>;
  close(): Promise<void>;
}
