import { setTimeout as sleep } from 'node:timers/promises';
import type { Commit } from '@assurance/storage-ports';
import { Relay } from '@assurance/event-sourcing/relay/relay';
import { checkLayout } from '@assurance/event-sourcing/relay/topic-layout';
import { checkOrigin } from '@assurance/event-sourcing/relay/topic-origin';
import type { ScaledStorage } from './config';
import type { EngineSources } from './engine-sources';
import { tracedPublisher } from './tracing/traced-engines';
import { CleanupStack } from './cleanup-stack';

/** How often a process that publishes checks whether partitions were added (milliseconds). The client notices it within five minutes. */
const LAYOUT_MS = 10_000;

/**
 * Opens MongoDB (event store, documents, blobs) and Kafka (feed).
 *
 * @throws StoreUnavailable if one of them does not answer
 * @throws StoreMisconfigured if one of them refuses the settings
 */
export async function openScaled(
  { mongodbUrl, database, kafkaBrokers, kafkaPrefix, kafkaSecurity }: Omit<ScaledStorage, 'kind' | 'cloudEventsTopic'>,
  { now, steady, random, onFault, tracing = null }: Omit<EngineSources, 'relays' | 'tellsOthers'>,
) {
  // They take 35 MB and half a second, so a process with the embedded engine does not load them.
  const [{ openMongo }, { openKafka }] = await Promise.all([
    import('@assurance/storage/mongodb'),
    import('@assurance/storage/kafka'),
  ]);
  const cleanup = new CleanupStack();
  const mongo = await openMongo({ url: mongodbUrl, database, now, steady, random });
  cleanup.add(() => mongo.close());
  try {
    const kafka = await openKafka({ brokers: kafkaBrokers, prefix: kafkaPrefix, security: kafkaSecurity, onFault });
    cleanup.add(() => kafka.close());
    const { events, documents, blobs, changes } = mongo;
    const layout = await kafka.layout();
    await checkLayout(documents, layout);
    await checkOrigin(events, layout.topic, await kafka.newest());
    return {
      events,
      documents,
      blobs,
      changes,
      feed: kafka.feed,
      // Without Kafka, reports are accepted and queries answered: lists and messages are late.
      problems: () => mongo.problems(),
      kafka,
      /**
       * Starts to copy commits to the feed. While another process does that, it waits to take over. `close` stops it.
       *
       * @param id the unique name of this process
       */
      async relay(id: string): Promise<Relay> {
        const publisher = await kafka.publisher();
        let checkedAt = steady();
        /** Stops where partitions were added meanwhile: later commits of a stream would overtake earlier ones. */
        const publish = async (commits: readonly Commit[]) => {
          if (steady() - checkedAt >= LAYOUT_MS) {
            await checkLayout(documents, await kafka.layout());
            checkedAt = steady();
          }
          return publisher.publish(commits);
        };
        const checked = { ...publisher, publish };
        const carrier = tracing === null ? checked : tracedPublisher(checked, tracing);
        const relay = new Relay({
          source: changes,
          publisher: carrier,
          documents,
          id,
          elapsed: steady,
          sleep: (ms) => sleep(ms),
          onFault,
        });
        cleanup.add(() => relay.stop());
        return relay;
      },
      /** Connects to the topic of public events; see `openKafka`. */
      publicEvents: (topic: string) => kafka.publicEvents(topic),
      close: () => cleanup.run(),
    };
  } catch (fault) {
    await cleanup.run();
    throw fault;
  }
}
