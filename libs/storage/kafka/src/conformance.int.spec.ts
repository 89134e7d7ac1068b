import type { Commit, EventStore } from '@assurance/storage-ports';
import { feedSuite } from '@assurance/testing/conformance/feed';
import { freshKafka } from '@assurance/testing/engines/kafka';
import { openKafka } from './open-kafka';

/** Publishes appended commits at once. The suite tests only the feed, so no relay follows a store. */
async function open() {
  const faults: unknown[] = [];
  const kafka = await openKafka({ ...freshKafka(), onFault: (fault) => faults.push(fault) });
  const publisher = await kafka.publisher();
  const events = {
    append: async (commit: Commit) => {
      await publisher.publish([commit]);
      return 'appended' as const;
    },
  } satisfies Partial<EventStore> as unknown as EventStore;
  return { engines: { events, feed: kafka.feed }, close: () => kafka.close() };
}

feedSuite(open);
