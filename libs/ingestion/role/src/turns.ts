import { RefusalError } from '@assurance/http';

/** The most commands that wait for their turn, beside those that run: on one stream, and on all streams of one organization. */
export const WAITING_MAX = { stream: 256, organization: 2_048 } as const;

/**
 * Runs the commands on one stream one after another, in order of arrival, because only one of several concurrent decisions could append.
 * Commands on other streams run independently.
 */
export class Turns {
  /** By stream: the end of its newest command. */
  private readonly ends = new Map<string, Promise<void>>();
  /** How many wait, by stream and by organization. */
  private readonly waiting = new Map<string, number>();

  /**
   * @param work takes no other turn on the same stream, nor on one whose commands take turns on this one: neither would ever end
   * @throws RefusalError `too-busy` when too many wait already; what `work` throws
   */
  async take<Done>(org: string, stream: string, work: () => Promise<Done>): Promise<Done> {
    const before = this.ends.get(stream);
    const done = before === undefined ? work() : this.after(before, this.queue(org, stream), work);
    const end = done.then(ignored, ignored);
    this.ends.set(stream, end);
    try {
      return await done;
    } finally {
      if (this.ends.get(stream) === end) this.ends.delete(stream);
    }
  }

  private async after<Done>(before: Promise<void>, leave: () => void, work: () => Promise<Done>): Promise<Done> {
    await before;
    leave();
    return work();
  }

  /** @returns what ends the waiting */
  private queue(org: string, stream: string): () => void {
    const queues = [
      { name: `stream ${stream}`, most: WAITING_MAX.stream },
      { name: `organization ${org}`, most: WAITING_MAX.organization },
    ];
    const count = (name: string) => this.waiting.get(name) ?? 0;
    if (queues.some(({ name, most }) => count(name) >= most)) throw new RefusalError({ kind: 'too-busy' });
    for (const { name } of queues) this.waiting.set(name, count(name) + 1);
    return () => {
      for (const { name } of queues) {
        if (count(name) === 1) this.waiting.delete(name);
        else this.waiting.set(name, count(name) - 1);
      }
    };
  }
}

function ignored(): void {
  // The caller gets the result.
}
