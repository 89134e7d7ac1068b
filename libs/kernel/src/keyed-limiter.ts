/* eslint-disable no-restricted-globals -- its one effect is a timer that ends waiting */
/** How long work waits for its turn (milliseconds), and the error that it gets after that. */
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
   * @param work takes no turn of the same key, nor of a key whose work takes turns of this one: neither would ever end
   * @param patience without it, work waits for as long as it takes
   * @throws what `work` throws; `patience.late` when it waited for too long
   */
  async run<Done>(key: string, work: () => Promise<Done>, patience?: WaitLimit): Promise<Done> {
    const line = this.lines.get(key) ?? { running: 0, waiting: new Set() };
    this.lines.set(key, line);
    if (line.running < this.concurrency) line.running += 1;
    else await wait(line.waiting, patience);
    try {
      return await work();
    } finally {
      this.next(key, line);
    }
  }

  /**
   * A turn whose work is elsewhere, if nothing is before it.
   *
   * @returns ends the turn; null where others are before it
   */
  acquireIfFree(key: string): (() => void) | null {
    if (!this.isFree(key)) return null;
    const line = this.lines.get(key) ?? { running: 0, waiting: new Set() };
    this.lines.set(key, line);
    line.running += 1;
    return () => this.next(key, line);
  }

  /**
   * Waits for a turn whose work is elsewhere.
   *
   * @returns ends the turn
   * @throws `patience.late` when it waited for too long
   */
  acquire(key: string, patience?: WaitLimit): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.run(key, () => new Promise<void>((leave) => resolve(leave)), patience).catch(reject);
    });
  }

  /** The work that waits longest takes over the turn. */
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

function wait(waiting: Set<() => void>, patience: WaitLimit | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (patience === undefined) {
      waiting.add(resolve);
      return;
    }
    const timer = setTimeout(() => {
      waiting.delete(go);
      reject(patience.timeoutError());
    }, patience.waitMs);
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    waiting.add(go);
  });
}
