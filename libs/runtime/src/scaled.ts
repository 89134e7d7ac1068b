import { setTimeout as sleep } from 'node:timers/promises';
import type { Engines, PublicEvents } from '@assurance/storage-ports';
import type { KafkaSecurity } from '@assurance/storage-kafka';
import { type ChangeLog, type Relay, startRelay } from '@assurance/storage-records';
import { tracedPublisher } from './tracing/traced-engines';
import type { Tracing } from './tracing/tracing';
import { Undo } from './undo';

/** The addresses and dependencies of the scaled engines. */
export interface ScaledOptions {
  readonly mongodbUrl: string;
  readonly database: string;
  readonly kafkaBrokers: readonly string[];
  /** Put before the names of topics and groups. */
  readonly prefix: string;
  /** Left out: neither TLS nor SASL. */
  readonly kafkaSecurity?: KafkaSecurity;
  /** Integer milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that never jumps. */
  readonly steady: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly onFault: (fault: unknown) => void;
  /** Null: nothing is traced. */
  readonly tracing?: Tracing | null;
}

export interface ScaledEngines extends Engines {
  /** New commits in their order, for checkpoints. */
  readonly changes: ChangeLog;
  /**
   * Begins to take commits to the feed, or to stand by while another process is at it; `close` stops it.
   *
   * @param id names this process among others
   */
  relay(id: string): Promise<Relay>;
  /** Connects to a topic that others read; see `openKafka`. */
  publicEvents(topic: string): Promise<PublicEvents>;
}

/**
 * Opens MongoDB (event store, documents, blobs) and Kafka (feed).
 *
 * @throws StoreUnavailable when one of them does not answer
 * @throws StoreMisconfigured when one of them refuses what the settings say
 */
export async function openScaled(options: ScaledOptions): Promise<ScaledEngines> {
  const { mongodbUrl, database, kafkaBrokers, prefix, kafkaSecurity, now, steady, random, onFault } = options;
  // Only here: these take 35 MB and half a second, which a process with an embedded engine need not spend.
  const [{ openMongo }, { openKafka }] = await Promise.all([
    import('@assurance/storage-mongodb'),
    import('@assurance/storage-kafka'),
  ]);
  const undo = new Undo();
  const mongo = await openMongo({ url: mongodbUrl, database, now, steady, random });
  undo.add(() => mongo.close());
  try {
    const kafka = await openKafka({ brokers: kafkaBrokers, prefix, security: kafkaSecurity, onFault });
    undo.add(() => kafka.close());
    const { events, documents, blobs, changes } = mongo;
    return {
      events,
      documents,
      blobs,
      changes,
      feed: kafka.feed,
      problems: async () => (await Promise.all([mongo.problems(), kafka.problems()])).flat(),
      async relay(id) {
        const publisher = await kafka.publisher();
        const { tracing = null } = options;
        const carrier = tracing === null ? publisher : tracedPublisher(publisher, tracing);
        const relay = startRelay({
          source: changes,
          publisher: carrier,
          documents,
          id,
          elapsed: steady,
          sleep: (ms) => sleep(ms),
          onFault,
        });
        undo.add(() => relay.stop());
        return relay;
      },
      publicEvents: (topic) => kafka.publicEvents(topic),
      close: () => undo.run(),
    };
  } catch (fault) {
    await undo.run();
    throw fault;
  }
}
