import type { Engines } from '@assurance/storage-ports';
import { looseBlobs } from './blobs';
import { looseDocuments } from './documents';
import { looseEvents } from './events';
import { looseFeed } from './feed';
import { looseness, type LooseOptions } from './steps';

/**
 * Wraps engines so that they keep the promises of the ports and no more. The embedded engine does more (one order, no repeats,
 * writes of a call as one), and nothing may lean on that: what passes on these engines passes on scaled ones.
 */
export function loosen(engines: Engines, options: LooseOptions): Engines {
  const loose = looseness(options);
  return {
    events: looseEvents(engines.events, loose),
    feed: looseFeed(engines.feed, loose),
    documents: looseDocuments(engines.documents, loose),
    blobs: looseBlobs(engines.blobs, loose),
    problems: () => engines.problems(),
    close: () => engines.close(),
  };
}
