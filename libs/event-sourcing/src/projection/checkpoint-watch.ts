import { workFor } from '@assurance/kernel';
import type { StreamPosition } from '@assurance/storage-ports';

/** The pause after each read of checkpoints (milliseconds). */
const PAUSE_MS = 5;
/** How many checkpoints are read at once. */
const READ_MAX = 500;

type ReadSeqs = (streams: readonly string[]) => Promise<(stream: string) => number>;

/** A query that waits until a view contains some commits. */
interface WaitingQuery {
  /** The seq that each stream is to reach. */
  readonly remainingSeqs: Map<string, number>;
  readonly resolve: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Lets queries wait for checkpoints of one generation of a view. All waiting queries of a process share one read at a time, because separate reads
 * would slow down the view that they wait for. A follower in the same process resolves them without a read.
 */
export class CheckpointWatch {
  private readonly waitingQueries = new Set<WaitingQuery>();
  /** By stream, the seq up to which this process has written rows but not yet the checkpoint. */
  private readonly unwritten = new Map<string, number>();
  private looks = false;

  /**
   * Waits until the checkpoints of these streams have reached these positions.
   *
   * @param ms the longest wait (milliseconds); a running read does not prolong it
   * @param read reads checkpoints of the generation
   * @returns false if the time ran out
   * @throws any error of `read`
   */
  reach(positions: readonly StreamPosition[], ms: number, read: ReadSeqs): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.waitingQueries.delete(waitingQuery);
      };
      const waitingQuery: WaitingQuery = {
        remainingSeqs: new Map(positions.map(({ stream, seq }) => [stream, seq])),
        resolve: () => {
          end();
          resolve(true);
        },
        fail: (error) => {
          end();
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      };
      const timer = setTimeout(() => {
        end();
        resolve(false);
      }, ms);
      this.waitingQueries.add(waitingQuery);
      // The reads serve all waiting queries, so they must not queue as work of the organization that waited first.
      if (!this.looks) void workFor('', () => this.look(read));
    });
  }

  /** Notes how far this process has written rows, before it writes the checkpoints. */
  noteRows(reached: ReadonlyMap<string, number>): void {
    for (const [stream, seq] of reached) this.unwritten.set(stream, Math.max(seq, this.unwritten.get(stream) ?? 0));
    this.note(reached);
  }

  /** Notes that these checkpoints are written. */
  noteCheckpoints(reached: ReadonlyMap<string, number>): void {
    for (const [stream, seq] of reached) if ((this.unwritten.get(stream) ?? 0) <= seq) this.unwritten.delete(stream);
  }

  /** The stored checkpoints, or higher ones that this process is about to store. */
  async over(streams: readonly string[], read: ReadSeqs): Promise<(stream: string) => number> {
    const unwrittenSeqs = new Map(streams.map((stream) => [stream, this.unwritten.get(stream) ?? 0]));
    const storedSeqOf = await read(streams);
    return (stream) => Math.max(storedSeqOf(stream), unwrittenSeqs.get(stream) ?? 0);
  }

  /** Notes how far streams were followed. */
  note(reached: ReadonlyMap<string, number>): void {
    for (const waitingQuery of this.waitingQueries) {
      for (const [stream, seq] of waitingQuery.remainingSeqs)
        if ((reached.get(stream) ?? 0) >= seq) waitingQuery.remainingSeqs.delete(stream);
      if (waitingQuery.remainingSeqs.size === 0) waitingQuery.resolve();
    }
  }

  private async look(read: ReadSeqs): Promise<void> {
    this.looks = true;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (this.waitingQueries.size === 0) break;
      const streams = [...new Set([...this.waitingQueries].flatMap(({ remainingSeqs }) => [...remainingSeqs.keys()]))];
      for (let i = 0; i < streams.length; i += READ_MAX) {
        const group = streams.slice(i, i + READ_MAX);
        try {
          const seqOf = await read(group);
          this.note(new Map(group.map((stream) => [stream, seqOf(stream)])));
        } catch (error) {
          for (const waitingQuery of this.waitingQueries)
            if (group.some((stream) => waitingQuery.remainingSeqs.has(stream))) waitingQuery.fail(error);
        }
      }
    }
    this.looks = false;
  }
}
