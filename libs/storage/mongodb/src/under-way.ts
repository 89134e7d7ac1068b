import { StoreUnavailable } from '@assurance/storage-ports';

/** What does not end by itself within this time (milliseconds) never does: longer than the driver looks for another server. */
const GRACE_MS = 10_000;

/**
 * What waits for MongoDB. The driver ends the connections of a server that went silent, but whoever is in the midst of a long write to one
 * it leaves waiting for room for ever: that is given up here.
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
