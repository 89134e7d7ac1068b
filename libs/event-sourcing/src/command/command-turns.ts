import { Refused } from '@assurance/contracts/http/refusals';
import { Turns } from '@assurance/kernel';

/** The most commands that wait for their turn, beside those that run: on one stream, and on all streams of one organization. */
export const WAITING_MAX = { stream: 256, organization: 2_048 } as const;

/** Runs the commands on a stream one after another, because only one concurrent decision could append. Bounds how many wait. */
export class CommandTurns {
  private readonly turns = new Turns();
  /** By organization: how many of its commands wait. */
  private readonly waiting = new Map<string, number>();

  /**
   * @param work takes no other turn on the same stream, nor on one whose commands take turns on this one: neither would ever end
   * @throws Refused `too-busy` when too many wait already; what `work` throws
   */
  async take<Done>(org: string, stream: string, work: () => Promise<Done>): Promise<Done> {
    if (this.turns.isFree(stream)) return this.turns.take(stream, work);
    const waiting = this.waiting.get(org) ?? 0;
    if (waiting >= WAITING_MAX.organization || this.turns.waiting(stream) >= WAITING_MAX.stream) {
      throw new Refused({ kind: 'too-busy' });
    }
    this.waiting.set(org, waiting + 1);
    return this.turns.take(stream, () => {
      this.leave(org);
      return work();
    });
  }

  private leave(org: string): void {
    const waiting = this.waiting.get(org) ?? 0;
    if (waiting > 1) this.waiting.set(org, waiting - 1);
    else this.waiting.delete(org);
  }
}
