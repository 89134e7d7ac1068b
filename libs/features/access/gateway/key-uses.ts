import type { Logger } from '@assurance/event-sourcing/tokens';
import { pieces } from '@assurance/kernel';
import type { Collection, Documents } from '@assurance/storage-ports';
import { type KeyUse, keyUses } from '../domain/keys';

/** The use of a key is noted at most once in this time (milliseconds). */
export const RECORD_INTERVAL_MS = 60_000;
const KEYS_MAX = 100_000;
/** The most documents that are changed in one call. */
const AT_ONCE = 1_000;

/** Records when keys were last used, which is not an event. It writes once a minute, and a stopped process loses its last minute. */
export class KeyUses {
  private readonly uses: Collection<KeyUse>;
  /** When the use of a key was last noted, by the key's hash. */
  private readonly notedAt = new Map<string, number>();
  private waitingUses = new Map<string, number>();
  private writing = false;

  constructor(
    documents: Pick<Documents, 'collection'>,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {
    this.uses = documents.collection(keyUses);
  }

  /**
   * @param key SHA-256 of the key
   * @param now integer milliseconds
   */
  note(key: string, now: number): void {
    const last = this.notedAt.get(key);
    // A clock that was set back a little causes no new write.
    if (last !== undefined && Math.abs(now - last) < RECORD_INTERVAL_MS) return;
    if (this.notedAt.size >= KEYS_MAX) this.notedAt.clear();
    this.notedAt.set(key, now);
    this.waitingUses.set(key, now);
    if (!this.writing) void this.write();
  }

  private async write(): Promise<void> {
    this.writing = true;
    try {
      while (this.waitingUses.size > 0) {
        const usesToWrite = this.waitingUses;
        this.waitingUses = new Map();
        for (const ids of pieces([...usesToWrite.keys()], AT_ONCE)) await this.writeSome(usesToWrite, ids);
      }
    } catch (err) {
      this.logger.warn({ err }, 'the last use of API keys could not be stored');
    } finally {
      this.writing = false;
    }
  }

  private async writeSome(some: ReadonlyMap<string, number>, ids: readonly string[]): Promise<void> {
    await this.uses.merge(ids, (current, id) => {
      const lastUsedAt = Math.floor((some.get(id) ?? 0) / 1_000);
      return current !== null && current.lastUsedAt >= lastUsedAt ? undefined : { lastUsedAt };
    });
  }
}
