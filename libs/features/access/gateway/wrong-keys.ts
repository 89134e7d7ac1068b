import type { Clock, Logger } from '@assurance/event-sourcing/tokens';
import { networkOf } from '@assurance/http';
import { forgetOldest } from '@assurance/kernel';

const MINUTE_MS = 60_000;
/** How many addresses are counted. The oldest is dropped first. */
const ADDRESSES_MAX = 10_000;

/** The counts of one address. Times are milliseconds of the monotonic clock. */
interface AddressCounts {
  since: number;
  /** Requests with a wrong key in the minute that began at `since`. */
  wrongCount: number;
  /** When a line was logged last; null: never. */
  loggedAt: number | null;
  /** Refused requests that no log line has counted yet. */
  unloggedCount: number;
}

/**
 * Counts requests without a valid API key by the address of the client. Above the limit for a minute, the address is asked to wait. The log gets one
 * line a minute for each address with the number of requests since the last line, and no data of the keys.
 */
export class InvalidKeyCounter {
  private readonly addresses = new Map<string, AddressCounts>();

  /**
   * @param limit wrong keys of one address in a minute; 0: no limit
   * @param message writes a refused address to the log
   */
  constructor(
    private readonly limit: number,
    private readonly clock: Pick<Clock, 'steady'>,
    private readonly logger: Pick<Logger, 'info'>,
    private readonly message = 'requests without a valid API key were refused',
  ) {}

  /** Seconds until another key from this address is checked; null if it is checked now. */
  secondsToWait(address: string): number | null {
    const addressCounts = this.addresses.get(networkOf(address));
    if (this.limit === 0 || addressCounts === undefined || addressCounts.wrongCount < this.limit) return null;
    const remainingMs = addressCounts.since + MINUTE_MS - this.clock.steady();
    return remainingMs > 0 ? Math.ceil(remainingMs / 1_000) : null;
  }

  /**
   * Notes a refused request.
   *
   * @param counts whether the request had a key. A request without a key is not a guess
   */
  note(address: string, counts: boolean): void {
    const now = this.clock.steady();
    const network = networkOf(address);
    const addressCounts = this.addresses.get(network) ?? {
      since: now,
      wrongCount: 0,
      loggedAt: null,
      unloggedCount: 0,
    };
    if (now - addressCounts.since >= MINUTE_MS) Object.assign(addressCounts, { since: now, wrongCount: 0 });
    if (counts) addressCounts.wrongCount += 1;
    addressCounts.unloggedCount += 1;
    if (addressCounts.loggedAt === null || now - addressCounts.loggedAt >= MINUTE_MS) {
      this.logger.info({ address: network, refused: addressCounts.unloggedCount }, this.message);
      Object.assign(addressCounts, { loggedAt: now, unloggedCount: 0 });
    }
    this.addresses.set(network, addressCounts);
    forgetOldest(this.addresses, ADDRESSES_MAX);
  }
}
