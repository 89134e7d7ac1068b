/* eslint-disable no-restricted-globals -- its one effect is a timer that ends waiting */
/** How long work waits for its turn (milliseconds), and the error that it gets after that. */
export interface Patience {
  readonly waitMs: number;
  readonly late: () => Error;
}

/** Runs work of one key one after another, in order of arrival. Work of other keys runs independently. */
export class Turns {
  /** By key: starts the work that waits while other work runs. */
  private readonly lines = new Map<string, Set<() => void>>();

  /** Whether work of the key would run at once. */
  isFree(key: string): boolean {
    return !this.lines.has(key);
  }

  /** How many wait for their turn. */
  waiting(key: string): number {
    return this.lines.get(key)?.size ?? 0;
  }

  /**
   * Runs `work` when all work that came before it has ended; at once if there is none.
   *
   * @param work takes no turn of the same key, nor of a key whose work takes turns of this one: neither would ever end
   * @param patience without it, work waits for as long as it takes
   * @throws what `work` throws; `patience.late` when it waited for too long
   */
  async take<Done>(key: string, work: () => Promise<Done>, patience?: Patience): Promise<Done> {
    const line = this.lines.get(key);
    if (line === undefined) this.lines.set(key, new Set());
    else await wait(line, patience);
    try {
      return await work();
    } finally {
      this.next(key);
    }
  }

  private next(key: string): void {
    const line = this.lines.get(key);
    const [go] = line ?? [];
    if (line === undefined || go === undefined) {
      this.lines.delete(key);
      return;
    }
    line.delete(go);
    go();
  }
}

function wait(line: Set<() => void>, patience: Patience | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (patience === undefined) {
      line.add(resolve);
      return;
    }
    const timer = setTimeout(() => {
      line.delete(go);
      reject(patience.late());
    }, patience.waitMs);
    const go = () => {
      clearTimeout(timer);
      resolve();
    };
    line.add(go);
  });
}
