import { StoreUnavailable } from '@assurance/storage-ports';

/**
 * An operation that takes longer than this will never end (milliseconds), because the driver searches for another
 * server for a shorter time.
 */
const GRACE_MS = 10_000;

/**
 * Operations that wait for MongoDB. A write of more than a socket takes at once waits until the rest is sent. If its connection closes meanwhile, the
 * driver (7.8.0) waits for ever: it listens to errors of the socket, but not to its end. This class ends such waits.
 */
export class PendingOperations {
  private readonly steps = new Set<(error: Error) => void>();

  /** @throws StoreUnavailable when it is given up: it may still have been carried out */
  run<T>(step: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const done = step();
      this.steps.add(reject);
      void done.then(resolve, reject).finally(() => this.steps.delete(reject));
    });
  }

  /** Connections were ended: the server died or went silent. */
  interrupted(): void {
    const before = [...this.steps];
    setTimeout(() => {
      for (const giveUp of before)
        if (this.steps.has(giveUp))
          giveUp(new StoreUnavailable('a connection to MongoDB ended in the midst of a message'));
    }, GRACE_MS).unref();
  }
}
