import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import { forgetOldest } from '@assurance/kernel';
import type { Documents, StreamPosition } from '@assurance/storage-ports';
import type { CheckpointWatch } from './checkpoint-watch';
import type { View } from './view';

/** The checkpoint of a generation of a view in one stream: written after the effect. The document's id is the stream. */
export interface ViewCheckpoint {
  readonly seq: number;
}

const definitions = new WeakMap<View, CollectionShape<ViewCheckpoint>>();

/** The collection of a view's checkpoints. It belongs to one generation and is removed with it. */
export function checkpointsOf(view: View): CollectionShape<ViewCheckpoint> {
  const known = definitions.get(view);
  if (known !== undefined) return known;
  const definition = { name: `progress_${view.name.replaceAll('-', '_')}`, deferred: 'last', indexes: [] } as const;
  definitions.set(view, definition);
  return definition;
}

/** How far a generation of a view followed streams. */
export interface Followed {
  /**
   * The seq up to which each stream was followed, 0 where that has not begun. It may be too small, never too large.
   *
   * @param firsts the first seq of each stream that is to be followed
   */
  before(firsts: ReadonlyMap<string, number>): Promise<(stream: string) => number>;

  /** Notes how far streams were followed, at most 1,000 of them. */
  advance(advanced: ReadonlyMap<string, number>): Promise<void>;
}

/** The checkpoints of one generation of a view, one document a stream. */
export class ViewCheckpoints implements Followed {
  /**
   * @param documents those of the generation
   * @param watch of the queries that wait for the generation
   */
  constructor(
    private readonly documents: Documents,
    private readonly view: View,
    private readonly watch: CheckpointWatch,
  ) {}

  /** The seq up to which each stream was followed, 0 where that has not begun. */
  async of(streams: readonly string[]): Promise<(stream: string) => number> {
    const found = await this.documents.collection(checkpointsOf(this.view)).getMany(streams);
    return (stream) => found.get(stream)?.seq ?? 0;
  }

  before(firsts: ReadonlyMap<string, number>): Promise<(stream: string) => number> {
    return this.of([...firsts.keys()]);
  }

  async advance(advanced: ReadonlyMap<string, number>): Promise<void> {
    const writes = [...advanced].map(([id, seq]) => ({ kind: 'forward', id, seq, doc: { seq } }) as const);
    if (writes.length === 0) return;
    await this.documents.collection(checkpointsOf(this.view)).write(writes);
    this.watch.note(advanced);
  }

  /**
   * Waits until streams were followed up to these positions.
   *
   * @param ms how long at most, in milliseconds of the clock
   * @returns whether they were
   */
  reach(positions: readonly StreamPosition[], ms: number): Promise<boolean> {
    return this.watch.reach(positions, ms, (streams) => this.of(streams));
  }
}

/** Of how many streams of a generation a process knows how far it followed them. */
const STREAMS_MAX = 20_000;
/** A batch of at most so many streams reads no checkpoint of a stream that begins in it. */
const FEW_STREAMS = 8;

/**
 * How far this process followed streams in the generations that it follows now. So a batch that goes on where the one before ended reads no
 * checkpoints.
 *
 * A checkpoint only grows, so it is never behind what is known here. It is ahead when another process had the stream in between. Then commits
 * that this process gets are either missing in between, so the checkpoint is read, or delivered again, which changes nothing in a view. So a
 * stream whose first commit arrives is taken as new. Only a large batch reads its checkpoint: a feed that starts over delivers all commits again,
 * and to take all of them again would cost more.
 */
export class KnownCheckpoints {
  private generations = new Map<string, Map<string, number>>();

  /** Keeps what is known of these generations, and forgets all others. */
  keep(names: Iterable<string>): void {
    this.generations = new Map(
      [...names].map((name) => [name, this.generations.get(name) ?? new Map<string, number>()]),
    );
  }

  /** The checkpoints of a generation that is kept. */
  over(name: string, stored: Followed): Followed {
    const known = this.generations.get(name) ?? new Map<string, number>();
    return {
      before: async (firsts) => {
        const least = firsts.size > FEW_STREAMS ? -1 : 0;
        const unknown = new Map([...firsts].filter(([stream, first]) => (known.get(stream) ?? least) < first - 1));
        const read = unknown.size === 0 ? null : await stored.before(unknown);
        for (const stream of unknown.keys()) learn(known, stream, read?.(stream) ?? 0);
        const now = new Map([...firsts.keys()].map((stream) => [stream, known.get(stream) ?? 0]));
        forgetOldest(known, STREAMS_MAX);
        return (stream) => now.get(stream) ?? 0;
      },
      advance: async (advanced) => {
        await stored.advance(advanced);
        for (const [stream, seq] of advanced) learn(known, stream, seq);
        forgetOldest(known, STREAMS_MAX);
      },
    };
  }
}

function learn(known: Map<string, number>, stream: string, seq: number): void {
  const before = known.get(stream) ?? 0;
  known.delete(stream);
  known.set(stream, Math.max(before, seq));
}
