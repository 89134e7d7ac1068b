import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import type { Clock } from '@assurance/event-sourcing/tokens';
import type { Session } from '@assurance/http';
import type { Collection, Documents } from '@assurance/storage-ports';
import { CACHED_MS } from '../identities';
import { ExpiringCache } from '../expiring-cache';

/** How many ended sessions of one principal are stored. One more ends all sessions that began before it. */
const ENDED_MAX = 200;
const CACHED_MAX = 10_000;

/** The sessions of a principal that were ended before their expiry. The document's id is the principal's. */
export interface SessionEndsDocument {
  /** Sessions that began at this time or earlier are over: integer milliseconds. */
  readonly before: number;
  /** The expiry that single ended sessions had (integer milliseconds), by session id. */
  readonly ended: Readonly<Record<string, number>>;
}

export const sessionEnds: CollectionShape<SessionEndsDocument> = { name: 'session_ends', indexes: [] };

/** Ends sessions at every gateway. A gateway that has cached a session ends it within `CACHED_MS`. */
export class SessionEnds {
  private readonly ends: Collection<SessionEndsDocument>;
  private readonly recent = new ExpiringCache<SessionEndsDocument | 'none'>(CACHED_MS, CACHED_MAX);

  constructor(
    documents: Pick<Documents, 'collection'>,
    private readonly clock: Pick<Clock, 'now' | 'steady'>,
  ) {
    this.ends = documents.collection(sessionEnds);
  }

  async isEnded({ id, principal, startedAt }: Session): Promise<boolean> {
    const cachedEnds = this.recent.get(principal, this.clock.steady()) ?? (await this.lookUp(principal));
    return cachedEnds !== 'none' && (startedAt <= cachedEnds.before || Object.hasOwn(cachedEnds.ended, id));
  }

  /** @param latest the absolute expiry (integer milliseconds) */
  async end({ id, principal }: Session, latest: number): Promise<void> {
    const now = this.clock.now();
    await this.change(principal, ({ before, ended }) => {
      const currentEnds = Object.entries(ended).filter(([, until]) => until > now);
      return currentEnds.length < ENDED_MAX
        ? { before, ended: Object.fromEntries([...currentEnds, [id, latest]]) }
        : { before: now, ended: {} };
    });
  }

  /** @param principal id of the user or service account. All its sessions end */
  async endAll(principal: string): Promise<void> {
    const now = this.clock.now();
    await this.change(principal, ({ before }) => ({ before: Math.max(before, now), ended: {} }));
  }

  private async change(principal: string, to: (current: SessionEndsDocument) => SessionEndsDocument): Promise<void> {
    await this.ends.merge([principal], (current) => to(current ?? { before: 0, ended: {} }));
  }

  private async lookUp(principal: string): Promise<SessionEndsDocument | 'none'> {
    // The age counts from before the look-up, because the data may change during the look-up.
    const lookedUpAt = this.clock.steady();
    const result = (await this.ends.get(principal)) ?? 'none';
    this.recent.set(principal, result, lookedUpAt);
    return result;
  }
}
