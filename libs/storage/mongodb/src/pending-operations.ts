import { StoreUnavailable } from '@assurance/storage-ports';

/**
 * If an operation takes longer than this after its connection ended (milliseconds), it never ends. The driver searches for
 * another server for a shorter time.
 */
const GRACE_MS = 10_000;

/**
 * Operations that wait for MongoDB. If a write is larger than the buffer of its socket, it waits until the rest is sent. If the connection closes
 * meanwhile, the driver (7.8.0) waits forever, because it listens to errors of the socket, but not to its end. This class ends such waits.
 */
export class PendingOperations {
  private readonly steps = new Set<(error: Error) => void>();

  /** @throws StoreUnavailable when it gives up waiting; the operation may still have been carried out */
  run<T>(step: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const promise = step();
      this.steps.add(reject);
      void promise.then(resolve, reject).finally(() => this.steps.delete(reject));
    });
  }

  /** Is called after connections ended because the server died or stopped answering. */
  noteInterruption(): void {
    const before = [...this.steps];
    setTimeout(() => {
      for (const giveUp of before)
        if (this.steps.has(giveUp))
          giveUp(new StoreUnavailable('a connection to MongoDB ended in the midst of a message'));
    }, GRACE_MS).unref();
  }
}
