import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Relay } from '@assurance/event-sourcing/relay/relay';
import { err, ok, type Result } from '@assurance/kernel';
import {
  DataFolderInUse,
  type Engines,
  type PublicEvents,
  StoreFull,
  StoreMisconfigured,
  StoreUnavailable,
} from '@assurance/storage-ports';
import type { OpenedKafka } from '@assurance/storage/kafka';
import { openEmbedded } from '@assurance/storage-sqlite';
import { twoStores } from './blobs/two-stores';
import type { EnginesWithChanges } from './checkpoints';
import type { EngineSources } from './engine-sources';
import { messageOf } from './error-code';
import type { Config, ScaledStorage } from './config';
import { openScaled } from './scaled';

/** Open engines, and their data folder. Only this process writes to the folder; null if there is none. */
export interface OpenedEngines {
  readonly engines: EnginesWithChanges;
  readonly folder: string | null;
  /** Copies commits to the feed, or is ready to take over; null if this process does neither. */
  readonly relay: Relay | null;
  /** The topic of public events. Null if none is configured, or if this process does not write to it. */
  readonly publicEvents: PublicEvents | null;
  /** Null without Kafka. */
  readonly kafka: Pick<OpenedKafka, 'reach'> | null;
}

/**
 * Opens the configured engines, and makes the data folder if there is none.
 *
 * @returns the engines, or one sentence that says why they cannot be opened
 * @throws faults of the engine
 */
export async function openEngines(
  { storage, blobs, proxies }: Pick<Config, 'storage' | 'blobs' | 'proxies'>,
  sources: EngineSources,
): Promise<Result<OpenedEngines, string>> {
  if (storage.kind === 'scaled') return openServers(storage, { blobs, proxies }, sources);
  const folder = resolve(storage.folder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (fault) {
    return err(`ASSURANCE_DATA_DIR is ${folder}, which cannot be made or used as a folder: ${messageOf(fault)}.`);
  }
  try {
    const engines = await withBucket(await openEmbedded({ folder, ...sources }), { blobs, proxies }, sources);
    return ok({ engines, folder, relay: null, publicEvents: null, kafka: null });
  } catch (fault) {
    if (fault instanceof StoreMisconfigured) return err(fault.message);
    if (fault instanceof DataFolderInUse) {
      return err(
        `The data folder ${folder} is in use by another process: stop it, or set ASSURANCE_DATA_DIR to another folder.`,
      );
    }
    if (fault instanceof StoreUnavailable || fault instanceof StoreFull) {
      return err(`The data folder ${folder} (ASSURANCE_DATA_DIR) cannot be used: ${fault.message}.`);
    }
    throw fault;
  }
}

async function openServers(
  storage: ScaledStorage,
  bucket: Pick<Config, 'blobs' | 'proxies'>,
  { relays, tellsOthers = false, ...sources }: EngineSources,
): Promise<Result<OpenedEngines, string>> {
  try {
    const engines = await withBucket(await openScaled(storage, sources), bucket, sources);
    const relay = relays ? await engines.relay(Buffer.from(sources.random(16)).toString('hex')) : null;
    const { cloudEventsTopic } = storage;
    const publicEvents = tellsOthers && cloudEventsTopic !== null ? await engines.publicEvents(cloudEventsTopic) : null;
    return ok({ engines, folder: null, relay, publicEvents, kafka: engines.kafka });
  } catch (fault) {
    if (fault instanceof StoreMisconfigured) return err(fault.message);
    if (fault instanceof StoreUnavailable) {
      return err(`${fault.message}: check that MONGODB_URL and KAFKA_BROKERS name running, reachable servers.`);
    }
    throw fault;
  }
}

/**
 * Adds a bucket to engines. New attachments go to the store that is configured; both stores are read. Without a
 * configured bucket, it returns the engines unchanged.
 *
 * @throws StoreMisconfigured if the bucket cannot be used; the engines are closed then
 */
async function withBucket<T extends Engines>(
  engines: T,
  { blobs, proxies }: Pick<Config, 'blobs' | 'proxies'>,
  { now, random, onFault }: Pick<EngineSources, 'now' | 'random' | 'onFault'>,
): Promise<T> {
  if (blobs === null) return engines;
  try {
    // The client takes memory and time, so it is loaded only if there is a bucket.
    const { openS3 } = await import('@assurance/storage/s3');
    const s3 = await openS3({ ...blobs.s3, proxies, documents: engines.documents, now, random, onFault });
    const combined = blobs.puts === 's3' ? twoStores(s3, engines.blobs) : twoStores(engines.blobs, s3);
    const close = () => {
      s3.close();
      return engines.close();
    };
    return { ...engines, blobs: combined, close };
  } catch (fault) {
    await engines.close();
    throw fault;
  }
}
