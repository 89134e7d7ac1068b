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
  /** Names unavailable parts in a few words each; empty if everything works. */
  problems(): Promise<string[]>;
  close(): Promise<void>;
}
