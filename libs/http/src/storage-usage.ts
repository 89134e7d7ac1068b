import { index } from '@assurance/contracts/events/aggregate';
import type { Logger, StoredBytes, StoredKind } from '@assurance/event-sourcing/tokens';
import { forgetOldest, pieces } from '@assurance/kernel';
import type { Collection, CollectionDefinition, Commit, Documents } from '@assurance/storage-ports';
import { RefusalError } from './refusals';

/** One document for each organization, by its id. */
export const storageUsage: CollectionDefinition<StoredBytes> = {
  name: 'storage_usage',
  indexes: [index('by_events', '-events'), index('by_attachments', '-attachments')],
};

/** The approximate size of a commit without the data of its events. */
const COMMIT_BYTES = 400;
/** How often added bytes are stored, and how long a count that was read is used (milliseconds). */
const EVERY_MS = 1_000;
/** If the added bytes of one organization exceed this, they are stored at once. */
const MUCH = 16 * 1024 * 1024;
/** The usage of at most this number of organizations is remembered. */
const ORGANIZATIONS_MAX = 10_000;
/** How long a warning is not repeated in the log (milliseconds). */
const WARN_EVERY_MS = 60_000;

export interface StorageUsageParts {
  readonly documents: Documents;
  /** A steady clock, in milliseconds. */
  readonly steady: () => number;
  /** The most bytes of one organization; 0: no limit. */
  readonly limits: StoredBytes;
  readonly logger: Pick<Logger, 'warn'>;
}

interface CachedUsage {
  readonly stored: Promise<StoredBytes>;
  readonly readAt: number;
}

/** The bytes of a commit that count towards the usage of its organization. */
export function bytesOfCommit({ events }: Commit): number {
  return events.reduce((sum, { size }) => sum + size, COMMIT_BYTES);
}

/**
 * Counts the stored bytes of each organization and tells whether it may store more. Every process adds its bytes to one document for each
 * organization, once a second or sooner when there are many. A killed process loses the last second. Bytes of other processes become
 * visible within two seconds, so an organization may exceed its limit by the bytes of that time.
 */
export class StorageUsage {
  private readonly documents: Collection<StoredBytes>;
  private readonly cache = new Map<string, CachedUsage>();
  /** Bytes that are not stored yet; `flushing`: bytes that are being stored. */
  private pendingBytes = new Map<string, StoredBytes>();
  private flushing: ReadonlyMap<string, StoredBytes> = new Map();
  private lastFlush: Promise<void> = Promise.resolve();
  private readonly warnedAt = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly parts: StorageUsageParts) {
    this.documents = parts.documents.collection(storageUsage);
    this.timer = setInterval(() => void this.flush(), EVERY_MS);
    this.timer.unref();
  }

  /** @param bytes negative if they were removed */
  add(org: string, kind: StoredKind, bytes: number): void {
    if (bytes === 0) return;
    const sum = plus(this.pendingBytes.get(org), { ...NONE, [kind]: bytes });
    this.pendingBytes.set(org, sum);
    if (sum.events + sum.attachments > MUCH) void this.flush();
  }

  /**
   * How many bytes an organization may still store.
   *
   * @throws RefusalError `storage-full` when there are none
   */
  async remainingBytes(org: string, kind: StoredKind): Promise<number> {
    const limit = this.parts.limits[kind];
    if (limit === 0) return Infinity;
    const storedBytes = await this.loadStored(org);
    const now = plus(plus(storedBytes, this.flushing.get(org)), this.pendingBytes.get(org))[kind];
    if (now < limit) return limit - now;
    throw this.fullError(org, kind);
  }

  /** Throw it if content turns out to be larger than the remaining bytes. */
  fullError(org: string, kind: StoredKind): RefusalError {
    const limit = this.parts.limits[kind];
    this.warn(`${kind}/${org}`, { org, kind, limit }, 'an organization has stored as many bytes as it may');
    return new RefusalError({ kind: 'storage-full', of: kind, limit });
  }

  /** Stores the added bytes. If that fails, they are stored with the next ones. */
  flush(): Promise<void> {
    this.lastFlush = this.lastFlush.then(() => this.write());
    return this.lastFlush;
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Writes a line of the log, at most one a minute for each key. */
  private warn(key: string, fields: object, message: string): void {
    const now = this.parts.steady();
    if (now - (this.warnedAt.get(key) ?? -Infinity) < WARN_EVERY_MS) return;
    this.warnedAt.set(key, now);
    forgetOldest(this.warnedAt, ORGANIZATIONS_MAX);
    this.parts.logger.warn(fields, message);
  }

  private loadStored(org: string): Promise<StoredBytes> {
    const [cached, now] = [this.cache.get(org), this.parts.steady()];
    if (cached !== undefined && now - cached.readAt < EVERY_MS) return cached.stored;
    const storedBytes = this.documents.get(org).then((results) => results ?? NONE);
    this.cache.delete(org);
    this.cache.set(org, { stored: storedBytes, readAt: now });
    forgetOldest(this.cache, ORGANIZATIONS_MAX);
    storedBytes.catch(() => this.cache.delete(org));
    return storedBytes;
  }

  private async write(): Promise<void> {
    if (this.pendingBytes.size === 0) return;
    const addedBytes = (this.flushing = this.pendingBytes);
    this.pendingBytes = new Map();
    try {
      for (const orgs of pieces([...addedBytes.keys()], 1_000)) {
        await this.documents.merge(orgs, (current, org) => plus(current ?? NONE, addedBytes.get(org)));
      }
      for (const org of addedBytes.keys()) this.cache.delete(org);
    } catch (err) {
      this.warn('', { err }, 'what organizations stored could not be counted yet');
      for (const [org, bytes] of addedBytes) this.pendingBytes.set(org, plus(bytes, this.pendingBytes.get(org)));
    } finally {
      this.flushing = new Map();
    }
  }
}

const NONE: StoredBytes = { events: 0, attachments: 0 };

function plus(a: StoredBytes | undefined, b: StoredBytes | undefined): StoredBytes {
  const sum = (kind: StoredKind) => (a?.[kind] ?? 0) + (b?.[kind] ?? 0);
  return { events: sum('events'), attachments: sum('attachments') };
}
