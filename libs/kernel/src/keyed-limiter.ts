/* eslint-disable no-restricted-globals -- its one effect is a timer that ends waiting */
/** How long work may wait before it starts (milliseconds), and the error if it waits longer. */
export interface WaitLimit {
  readonly waitMs: number;
  readonly timeoutError: () => Error;
}

/** How much work of one key runs, and the functions that start the waiting work. */
interface Line {
  running: number;
  readonly waiters: Set<() => void>;
}

/** Limits how much work of one key runs at the same time. Waiting work starts in order of arrival. Keys do not affect each other. */
export class KeyedLimiter {
  private readonly lines = new Map<string, Line>();

  /** @param concurrency how much work of one key runs at the same time at most */
  constructor(private readonly concurrency = 1) {}

  /** Whether work of the key would run at once. */
  isFree(key: string): boolean {
    return (this.lines.get(key)?.running ?? 0) < this.concurrency;
  }

  /** How much work of the key waits. */
  countWaiting(key: string): number {
    return this.lines.get(key)?.waiters.size ?? 0;
  }

  /**
   * Runs `work` as soon as the key has a free place. Earlier work of the key goes first.
   *
   * @param work must not run other work through this limiter if that has the same key, or a key with work that waits for
   *   this work: that would be a deadlock
   * @param limit if it is missing, the work waits without a limit
   * @throws the error of `work`; the error of `limit` if the work waited for too long
   */
  async run<Done>(key: string, work: () => Promise<Done>, limit?: WaitLimit): Promise<Done> {
    const line = this.lines.get(key) ?? { running: 0, waiters: new Set() };
    this.lines.set(key, line);
    if (line.running < this.concurrency) line.running += 1;
    else await wait(line.waiters, limit);
    try {
      return await work();
    } finally {
      this.next(key, line);
    }
  }

  /**
   * Reserves a place for work that the caller does itself, if a place is free.
   *
   * @returns a function that releases the place; null if no place is free
   */
  acquireIfFree(key: string): (() => void) | null {
    if (!this.isFree(key)) return null;
    const line = this.lines.get(key) ?? { running: 0, waiters: new Set() };
    this.lines.set(key, line);
    line.running += 1;
    return () => this.next(key, line);
  }

  /**
   * Waits for a place for work that the caller does itself.
   *
   * @returns a function that releases the place
   * @throws the error of `limit` if the caller waited for too long
   */
  acquire(key: string, limit?: WaitLimit): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.run(key, () => new Promise<void>((leave) => resolve(leave)), limit).catch(reject);
    });
  }

  /** Gives the place to the work that has waited longest. */
  private next(key: string, line: Line): void {
    const [go] = line.waiters;
    if (go !== undefined) {
      line.waiters.delete(go);
      go();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.lines.delete(key);
  }
}

function wait(waiters: Set<() => void>, limit: WaitLimit | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (limit === undefined) {
      waiters.add(resolve);
      return;
    }
    const timer = setTimeout(() => {
      waiters.delete(go);
      reject(limit.timeoutError());
    }, limit.waitMs);
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    waiters.add(go);
  });
}
