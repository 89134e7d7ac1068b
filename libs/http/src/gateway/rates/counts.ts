import type { Rate } from '../../rate';
import { type MinuteGrants, grantedToOthers, type GrantRequest, ownShare } from './grants';

const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
/** A grant that is unused for this time is returned. */
const HELD_MS = 5_000;

/** The requests of one key or organization in this minute, as this gateway counts them. */
interface Count {
  used: number;
  /** How many requests the other gateways allow this one, apart from its own share. */
  granted: number;
  /** How many requests are granted to other gateways. */
  others: number;
  /** The count of the last message to other gateways, and its time (milliseconds of the steady clock). */
  reported: number;
  reportedAt: number;
}

/** The parameters of all counts. */
export interface CountParameters {
  /** The minute, counted since 1970. */
  readonly minute: number;
  readonly gateway: string;
  /** How many gateways are known to be at work, this one included. */
  readonly gateways: number;
  /** Other gateways cannot be reached: each uses only its own share of the limit. */
  readonly cutOff: boolean;
}

/** The requests of one minute, counted by key or by organization against one limit. */
export class Counts {
  private readonly counts = new Map<string, Count>();

  /** @param limit requests in a minute */
  constructor(readonly limit: number) {}

  /** Call it when a new minute begins. */
  clear(): void {
    this.counts.clear();
  }

  /** @returns whether one more request is accepted; if so, it is counted */
  take(id: string, terms: CountParameters): boolean {
    const count = this.countOf(id);
    if (count.used >= this.allowance(count, terms)) return false;
    count.used += 1;
    return true;
  }

  /** Call it when another limit refused an accepted request: it no longer counts. */
  release(id: string): void {
    this.countOf(id).used -= 1;
  }

  /** @param now milliseconds since 1970 */
  rate(id: string, allowed: boolean, now: number): Rate {
    const { used, others } = this.countOf(id);
    const reset = Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / SECOND_MS);
    const remainingRequests = Math.max(0, this.limit - others - used);
    // While some is left, other gateways may give it back: this gateway asks again a second later.
    return {
      allowed,
      limit: this.limit,
      remaining: remainingRequests,
      reset,
      retryAfter: remainingRequests > 0 ? 1 : reset,
    };
  }

  /**
   * The messages to send to other gateways now. They report use beyond half of the own share, and unused grants.
   *
   * @param steady a steady clock, in milliseconds
   * @param isSending whether a message about an id is being sent
   */
  grantRequests(terms: CountParameters, steady: number, isSending: (id: string) => boolean): Map<string, GrantRequest> {
    const asks = new Map<string, GrantRequest>();
    for (const [id, count] of this.counts) {
      const done = count.used === count.reported;
      const worth = done
        ? count.granted > count.used && steady - count.reportedAt >= HELD_MS
        : count.granted > 0 || count.used > ownShare(this.limit, terms.gateways) / 2;
      if (worth && !isSending(id)) asks.set(id, this.ask(count, terms, steady, done));
    }
    return asks;
  }

  /** The message to other gateways when nothing is left; null if one was sent within this second. */
  grantRequestFor(id: string, terms: CountParameters, steady: number): GrantRequest | null {
    const count = this.countOf(id);
    return steady - count.reportedAt < SECOND_MS ? null : this.ask(count, terms, steady, false);
  }

  /** Stores the answer of the other gateways. */
  storeGrants(id: string, gateway: string, granted: MinuteGrants): void {
    const count = this.countOf(id);
    count.granted = granted.gateways[gateway] ?? 0;
    count.others = grantedToOthers(granted, gateway);
  }

  /** Gives back half of the unused grant, or all of it if it was not used lately: first here, then by a message to the others. */
  private ask(count: Count, { gateway, minute }: CountParameters, steady: number, done: boolean): GrantRequest {
    const { used, granted } = count;
    const reservedRequests = used + (done ? 0 : Math.ceil(Math.max(0, granted - used) / 2));
    // A gateway that returned everything may ask again at once.
    Object.assign(count, { granted: reservedRequests, reported: used, reportedAt: done ? -Infinity : steady });
    return { gateway, minute, limit: this.limit, used, reserved: reservedRequests, done };
  }

  private allowance({ granted }: Count, { gateways, cutOff }: CountParameters): number {
    const least = cutOff ? Math.ceil(this.limit / gateways) : ownShare(this.limit, gateways);
    return Math.max(least, granted);
  }

  private countOf(id: string): Count {
    const count = this.counts.get(id);
    if (count !== undefined) return count;
    const created: Count = { used: 0, granted: 0, others: 0, reported: 0, reportedAt: -Infinity };
    this.counts.set(id, created);
    return created;
  }
}
