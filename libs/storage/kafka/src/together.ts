import { type Commit, FEED_BATCH_BYTES_MAX } from '@assurance/storage-ports';

/** What one partition has to hand over. */
export interface Piece {
  readonly commits: readonly Commit[];
  /** Of its messages. */
  readonly bytes: number;
}

interface Waiting extends Piece {
  readonly resolve: (handled: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Hands over what several partitions have as one batch, one batch at a time: what comes while one is under way goes with the next, at once and
 * never on a timer. So whoever follows with several writes a batch pays for them once, and not once for each partition.
 *
 * The returned function tells whether a piece was handled. When it was not, it may be handed in again: the consumer stops, or the batch failed;
 * then one of its pieces throws what the handler threw.
 *
 * @param maxBatch the most commits of a batch
 */
export function together(
  handle: (batch: readonly Commit[]) => Promise<void>,
  maxBatch: number,
  stopping: AbortSignal,
): (piece: Piece) => Promise<boolean> {
  let waiting: Waiting[] = [];
  let busy = false;

  const take = (): Waiting[] => {
    let [many, size] = [0, 0];
    const group: Waiting[] = [];
    const rest: Waiting[] = [];
    for (const one of waiting) {
      const { commits, bytes } = one;
      const fits = many === 0 || (many + commits.length <= maxBatch && size + bytes <= FEED_BATCH_BYTES_MAX);
      (fits ? group : rest).push(one);
      if (fits) [many, size] = [many + commits.length, size + bytes];
    }
    waiting = rest;
    return group;
  };

  const run = async (): Promise<void> => {
    busy = true;
    while (waiting.length > 0) {
      const group = take();
      let handled = false;
      try {
        if (!stopping.aborted) {
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
      waiting.push({ ...piece, resolve, reject });
      if (!busy) void run();
    });
}
