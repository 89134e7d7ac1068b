import { workFor } from '@assurance/kernel';
import type { StreamPosition } from '@assurance/storage-ports';

/** How long the watch rests after each read of checkpoints (milliseconds). */
const PAUSE_MS = 5;
/** How many checkpoints are read at once. */
const READ_MAX = 500;

type Read = (streams: readonly string[]) => Promise<(stream: string) => number>;

/** A query that waits until a view contains some commits. */
interface WaitingQuery {
  /** The seq that each stream is to reach. */
  readonly left: Map<string, number>;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Waits for checkpoints of one generation of a view. All queries of a process that wait for it share one read at a time: if each read them for
 * itself, they would take the time that the view needs to follow. A follower in this process tells them at once.
 */
export class CheckpointWatch {
  private readonly waiting = new Set<WaitingQuery>();
  /** The seq up to which this process has written the rows of a stream, while its checkpoint is not written. */
  private readonly unwritten = new Map<string, number>();
  private looks = false;

  /**
   * Waits until the checkpoints of these streams have these positions.
   *
   * @param ms how long at most, by the clock: a read under way does not prolong it
   * @param read reads checkpoints of the generation
   * @returns whether they have
   * @throws what `read` throws
   */
  reach(positions: readonly StreamPosition[], ms: number, read: Read): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.waiting.delete(waitingQuery);
      };
      const waitingQuery: WaitingQuery = {
        left: new Map(positions.map(({ stream, seq }) => [stream, seq])),
        done: () => {
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
      this.waiting.add(waitingQuery);
      // Its reads wait in no queue of the organization that happened to wait first.
      if (!this.looks) void workFor('', () => this.look(read));
    });
  }

  /** Notes how far this process has written rows, before it writes the checkpoints. */
  ahead(reached: ReadonlyMap<string, number>): void {
    for (const [stream, seq] of reached) this.unwritten.set(stream, Math.max(seq, this.unwritten.get(stream) ?? 0));
    this.note(reached);
  }

  /** Notes that these checkpoints are written. */
  written(reached: ReadonlyMap<string, number>): void {
    for (const [stream, seq] of reached) if ((this.unwritten.get(stream) ?? 0) <= seq) this.unwritten.delete(stream);
  }

  /** Checkpoints as they are stored, or as this process will write them. */
  async over(streams: readonly string[], read: Read): Promise<(stream: string) => number> {
    const ahead = new Map(streams.map((stream) => [stream, this.unwritten.get(stream) ?? 0]));
    const stored = await read(streams);
    return (stream) => Math.max(stored(stream), ahead.get(stream) ?? 0);
  }

  /** Notes how far streams were followed. */
  note(reached: ReadonlyMap<string, number>): void {
    for (const waitingQuery of this.waiting) {
      for (const [stream, seq] of waitingQuery.left)
        if ((reached.get(stream) ?? 0) >= seq) waitingQuery.left.delete(stream);
      if (waitingQuery.left.size === 0) waitingQuery.done();
    }
  }

  private async look(read: Read): Promise<void> {
    this.looks = true;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (this.waiting.size === 0) break;
      const streams = [...new Set([...this.waiting].flatMap(({ left }) => [...left.keys()]))];
      for (let i = 0; i < streams.length; i += READ_MAX) {
        const some = streams.slice(i, i + READ_MAX);
        try {
          const seqOf = await read(some);
          this.note(new Map(some.map((stream) => [stream, seqOf(stream)])));
        } catch (error) {
          for (const waitingQuery of this.waiting)
            if (some.some((stream) => waitingQuery.left.has(stream))) waitingQuery.fail(error);
        }
      }
    }
    this.looks = false;
  }
}
