import { StoreUnavailable } from '@assurance/storage-ports';

/** An operation that lasts longer will never end (milliseconds): the driver looks for another server for less time. */
const GRACE_MS = 10_000;

/**
 * Operations that wait for MongoDB. The driver closes connections to a silent server, but a long write may then wait for ever. This
 * class ends such waits.
 */
export class UnderWay {
  private readonly steps = new Set<(error: Error) => void>();

  /** @throws StoreUnavailable when it is given up: it may still have been carried out */
  run<T>(step: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const done = step();
      this.steps.add(reject);
      void done.then(resolve, reject).finally(() => this.steps.delete(reject));
    });
  }

  /** The connections of a silent server were ended. */
  interrupted(): void {
    const before = [...this.steps];
    setTimeout(() => {
      for (const giveUp of before)
        if (this.steps.has(giveUp)) giveUp(new StoreUnavailable('MongoDB went silent in the midst of a message'));
    }, GRACE_MS).unref();
  }
}
