import { type WaitLimit, KeyedLimiter } from '@assurance/kernel';

/** How many large bodies of one organization are read or processed at the same time. */
const AT_ONCE = 8;
/** The longest time that a body waits: clients that hold the places may send slowly. */
const WAIT_LIMIT: WaitLimit = { waitMs: 5_000, timeoutError: () => new Error('waited long enough') };

/**
 * Reads a few large bodies of an organization at once. The others wait unread. They use no memory of the process, because their clients can send only
 * as much as the buffers of the connection hold.
 */
export class BodyReadLimiter {
  private readonly limiter = new KeyedLimiter(AT_ONCE);

  /**
   * Waits until a body may be read.
   *
   * @param owner a holder's id
   * @returns lets the next body be read; call it when the answer is made
   */
  acquire(owner: string): Promise<() => void> {
    return this.limiter.acquire(owner, WAIT_LIMIT).catch(() => () => undefined);
  }
}
