import { Refused } from '@assurance/contracts/http/refusals';
import { KeyedLimiter } from '@assurance/kernel';

/**
 * The most commands that wait, in addition to those that run: on one stream, and on all streams of one organization.
 */
export const WAITING_MAX = { stream: 256, organization: 2_048 } as const;

/** Runs the commands on a stream one after another, because only one concurrent decision could append. Bounds how many wait. */
export class CommandQueue {
  private readonly limiter = new KeyedLimiter();
  /** By organization: how many of its commands wait. */
  private readonly waitingCounts = new Map<string, number>();

  /**
   * @param work must not run commands on the same stream, or on a stream with commands that wait for this one: that would
   *   be a deadlock
   * @throws Refused `too-busy` when too many commands wait already; any error of `work`
   */
  async run<Done>(org: string, stream: string, work: () => Promise<Done>): Promise<Done> {
    if (this.limiter.isFree(stream)) return this.limiter.run(stream, work);
    const waitingCount = this.waitingCounts.get(org) ?? 0;
    if (waitingCount >= WAITING_MAX.organization || this.limiter.countWaiting(stream) >= WAITING_MAX.stream) {
      throw new Refused({ kind: 'too-busy' });
    }
    this.waitingCounts.set(org, waitingCount + 1);
    return this.limiter.run(stream, () => {
      this.release(org);
      return work();
    });
  }

  private release(org: string): void {
    const waitingCount = this.waitingCounts.get(org) ?? 0;
    if (waitingCount > 1) this.waitingCounts.set(org, waitingCount - 1);
    else this.waitingCounts.delete(org);
  }
}
