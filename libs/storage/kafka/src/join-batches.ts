import { type Commit, FEED_BATCH_BYTES_MAX } from '@assurance/storage-ports';

/** Commits of one partition. */
export interface CommitBatch {
  readonly commits: readonly Commit[];
  /** The bytes of the messages. */
  readonly bytes: number;
}

interface WaitingBatch extends CommitBatch {
  readonly resolve: (handled: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Joins the commits of several partitions into one batch, one batch at a time. Commits that arrive meanwhile go into the next batch,
 * without a timer. So a consumer with several writes for each batch pays for them once, not once for each partition.
 *
 * The returned function resolves to whether a piece was handled. If not, the consumer stops or the batch failed, and the piece may be passed
 * in again. If a batch failed, one of its pieces throws the error of the handler.
 *
 * @param maxBatch maximum of commits in a batch
 */
export function joinBatches(
  handle: (batch: readonly Commit[]) => Promise<void>,
  maxBatch: number,
  stopSignal: AbortSignal,
): (piece: CommitBatch) => Promise<boolean> {
  let waitingBatches: WaitingBatch[] = [];
  let busy = false;

  const take = (): WaitingBatch[] => {
    let [many, size] = [0, 0];
    const group: WaitingBatch[] = [];
    const rest: WaitingBatch[] = [];
    for (const waitingBatch of waitingBatches) {
      const { commits, bytes } = waitingBatch;
      const fits = many === 0 || (many + commits.length <= maxBatch && size + bytes <= FEED_BATCH_BYTES_MAX);
      (fits ? group : rest).push(waitingBatch);
      if (fits) [many, size] = [many + commits.length, size + bytes];
    }
    waitingBatches = rest;
    return group;
  };

  const run = async (): Promise<void> => {
    busy = true;
    while (waitingBatches.length > 0) {
      const group = take();
      let handled = false;
      try {
        if (!stopSignal.aborted) {
          await handle(group.flatMap(({ commits }) => commits));
          handled = true;
        }
      } catch (error) {
        group[0]?.reject(error);
      }
      for (const { resolve } of group) resolve(handled);
    }
    busy = false;
  };

  return (piece) =>
    new Promise((resolve, reject) => {
      waitingBatches.push({ ...piece, resolve, reject });
      if (!busy) void run();
    });
}
