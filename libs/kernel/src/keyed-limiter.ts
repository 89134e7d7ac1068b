/* eslint-disable no-restricted-globals -- its one effect is a timer that ends waiting */
/** How long work may wait before it starts (milliseconds), and the error after that. */
export interface WaitLimit {
  readonly waitMs: number;
  readonly timeoutError: () => Error;
}

/** The work of one key that runs, and what starts the work that waits. */
interface Line {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Runs work of one key one after another, or a few at a time, in order of arrival. Work of other keys runs independently. */
export class KeyedLimiter {
  private readonly lines = new Map<string, Line>();

  /** @param concurrency how much work of one key runs at the same time */
  constructor(private readonly concurrency = 1) {}

  /** Whether work of the key would run at once. */
  isFree(key: string): boolean {
    return (this.lines.get(key)?.running ?? 0) < this.concurrency;
  }

  /** How many wait for their turn. */
  waiting(key: string): number {
    return this.lines.get(key)?.waiting.size ?? 0;
  }

  /**
   * Runs `work` after the works that came before it.
   *
   * @param work must not run work of the same key through this limiter, nor of a key whose work waits for this one:
   *   that would be a deadlock
   * @param limit without it, work waits without a limit
   * @throws what `work` throws; the error of `limit` when it waited for too long
   */
  async run<Done>(key: string, work: () => Promise<Done>, limit?: WaitLimit): Promise<Done> {
    const line = this.lines.get(key) ?? { running: 0, waiting: new Set() };
    this.lines.set(key, line);
    if (line.running < this.concurrency) line.running += 1;
    else await wait(line.waiting, limit);
    try {
      return await work();
    } finally {
      this.next(key, line);
    }
  }

  /**
   * Reserves a place for work that the caller does itself, if one is free.
   *
   * @returns releases the place; null if none is free
   */
  acquireIfFree(key: string): (() => void) | null {
    if (!this.isFree(key)) return null;
    const line = this.lines.get(key) ?? { running: 0, waiting: new Set() };
    this.lines.set(key, line);
    line.running += 1;
    return () => this.next(key, line);
  }

  /**
   * Waits for a place for work that the caller does itself.
   *
   * @returns releases the place
   * @throws the error of `limit` when it waited for too long
   */
  acquire(key: string, limit?: WaitLimit): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.run(key, () => new Promise<void>((leave) => resolve(leave)), limit).catch(reject);
    });
  }

  /** Gives the place to the work that has waited longest. */
  private next(key: string, line: Line): void {
    const [go] = line.waiting;
    if (go !== undefined) {
      line.waiting.delete(go);
      go();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.lines.delete(key);
  }
}

function wait(waiting: Set<() => void>, limit: WaitLimit | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (limit === undefined) {
      waiting.add(resolve);
      return;
    }
    const timer = setTimeout(() => {
      waiting.delete(go);
      reject(limit.timeoutError());
    }, limit.waitMs);
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    waiting.add(go);
  });
}
