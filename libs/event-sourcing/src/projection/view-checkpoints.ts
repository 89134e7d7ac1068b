import type { CollectionShape } from '@assurance/contracts/events/aggregate';
import { forgetOldest } from '@assurance/kernel';
import type { Documents, StreamPosition } from '@assurance/storage-ports';
import { batches } from './batches';
import type { CheckpointWatch } from './checkpoint-watch';
import type { View } from './view';

/** Seqs by the number of a generation. */
type SeqsByGeneration = Readonly<Record<number, number>>;

/**
 * The checkpoints of one stream in all generations that follow the feed, by the name of the view. They are written after the rows, and together,
 * because a document costs an engine as much as a row. The document's id is the stream.
 */
interface LiveCheckpoints {
  readonly taken: Readonly<Record<string, SeqsByGeneration>>;
}

export const liveCheckpoints: CollectionShape<LiveCheckpoints> = {
  name: 'taken_streams',
  deferred: 'last',
  mergedOften: true,
  indexes: [],
};

/** The checkpoint in one stream of a generation that was built, or that an earlier release followed. The document's id is the stream. */
interface ViewCheckpoint {
  readonly seq: number;
}

const definitions = new WeakMap<View, CollectionShape<ViewCheckpoint>>();

/** The collection of a view's own checkpoints. It belongs to one generation and is removed with it. */
export function checkpointsOf(view: View): CollectionShape<ViewCheckpoint> {
  const cachedDefinition = definitions.get(view);
  if (cachedDefinition !== undefined) return cachedDefinition;
  const definition = { name: `progress_${view.name.replaceAll('-', '_')}`, deferred: 'last', indexes: [] } as const;
  definitions.set(view, definition);
  return definition;
}

/** How far a generation of a view followed streams. */
export interface StreamProgress {
  /**
   * The seq up to which each stream was followed, 0 if that has not begun. It may be too small, never too large.
   *
   * @param firstSeqs by stream, the first seq that is to be followed
   */
  before(firstSeqs: ReadonlyMap<string, number>): Promise<(stream: string) => number>;

  /** Stores how far streams were followed, for at most 1,000 streams. */
  advance(advancedSeqs: ReadonlyMap<string, number>): Promise<void>;
}

/** The checkpoints of one generation of a view. `before` and `advance` are for a generation that is being built: they use only its own collection. */
export class ViewCheckpoints implements StreamProgress {
  /**
   * @param documents the documents of the generation
   * @param watch the queries that wait for the generation
   */
  constructor(
    private readonly documents: Documents,
    private readonly view: View,
    private readonly number: number,
    private readonly watch: CheckpointWatch,
  ) {}

  /** For queries: the seq up to which the rows of each stream are written, 0 for a stream that the view has not begun. */
  of(streams: readonly string[]): Promise<(stream: string) => number> {
    return this.watch.over(streams, (some) => this.readStored(some));
  }

  /** The seq up to which each stream was followed, live or while the generation was built, as other processes see it. */
  async readStored(streams: readonly string[]): Promise<(stream: string) => number> {
    const documents = await this.documents.collection(liveCheckpoints).getMany(streams);
    const live = (stream: string) => documents.get(stream)?.taken[this.view.name]?.[this.number];
    const missingStreams = streams.filter((stream) => live(stream) === undefined);
    const built = missingStreams.length === 0 ? () => 0 : await this.readBuilt(missingStreams);
    return (stream) => live(stream) ?? built(stream);
  }

  before(firsts: ReadonlyMap<string, number>): Promise<(stream: string) => number> {
    return this.readBuilt([...firsts.keys()]);
  }

  async advance(advanced: ReadonlyMap<string, number>): Promise<void> {
    const writes = [...advanced].map(([id, seq]) => ({ kind: 'forward', id, seq, doc: { seq } }) as const);
    if (writes.length === 0) return;
    await this.documents.collection(checkpointsOf(this.view)).write(writes);
    this.watch.note(advanced);
  }

  /** Notes that rows are written, before their checkpoints are written. So queries of this process need not wait for other views in the batch. */
  noteRows(advanced: ReadonlyMap<string, number>): void {
    this.watch.noteRows(advanced);
  }

  /** Notes that the checkpoints announced by `noteRows` are stored. */
  noteCheckpoints(advanced: ReadonlyMap<string, number>): void {
    this.watch.noteCheckpoints(advanced);
  }

  /**
   * Waits until streams were followed up to these positions.
   *
   * @param ms the longest wait (milliseconds)
   * @returns whether they were
   */
  reach(positions: readonly StreamPosition[], ms: number): Promise<boolean> {
    return this.watch.reach(positions, ms, (streams) => this.of(streams));
  }

  private async readBuilt(streams: readonly string[]): Promise<(stream: string) => number> {
    const documents = await this.documents.collection(checkpointsOf(this.view)).getMany(streams);
    return (stream) => documents.get(stream)?.seq ?? 0;
  }
}

/** A generation that follows the feed. */
interface Follows {
  readonly view: Pick<View, 'name'>;
  readonly number: number;
  readonly checkpoints: Pick<ViewCheckpoints, 'readStored' | 'noteRows' | 'noteCheckpoints'>;
}

/** Collects the checkpoints of all generations that process a batch. It writes all checkpoints of a stream in one document. */
export class BatchCheckpoints {
  private processedSeqs = new Map<string, Map<string, Map<number, number>>>();
  private cacheUpdates: (() => void)[] = [];
  private currentWrite: Promise<void> = Promise.resolve();

  /** @param oldest the smallest number of a generation that still follows, by the name of the view */
  constructor(
    private readonly documents: Documents,
    private readonly oldest: ReadonlyMap<string, number>,
  ) {}

  /** @param updateCache is called after the checkpoints are written */
  add({ view, number }: Follows, advanced: ReadonlyMap<string, number>, updateCache: () => void): void {
    for (const [stream, seq] of advanced) this.gather(stream, view.name, number, seq);
    this.cacheUpdates.push(updateCache);
  }

  /** Writes the added checkpoints. If a call fails, the next one writes its checkpoints too. */
  write(): Promise<void> {
    this.currentWrite = this.currentWrite.catch(() => undefined).then(() => this.writeAdded());
    return this.currentWrite;
  }

  private async writeAdded(): Promise<void> {
    const { processedSeqs, cacheUpdates } = this;
    [this.processedSeqs, this.cacheUpdates] = [new Map(), []];
    try {
      for (const streams of batches([...processedSeqs.keys()])) {
        await this.documents.collection(liveCheckpoints).merge(streams, (current, stream) => {
          const after: Record<string, SeqsByGeneration> = { ...current?.taken };
          for (const [view, own] of processedSeqs.get(stream) ?? [])
            after[view] = this.mergeSeqs(view, after[view] ?? {}, own);
          return { taken: after };
        });
      }
    } catch (error) {
      this.cacheUpdates.unshift(...cacheUpdates);
      for (const [stream, views] of processedSeqs) {
        for (const [view, own] of views) for (const [number, seq] of own) this.gather(stream, view, number, seq);
      }
      throw error;
    }
    for (const updateCache of cacheUpdates) updateCache();
  }

  private gather(stream: string, view: string, number: number, seq: number): void {
    const views = this.processedSeqs.get(stream) ?? new Map<string, Map<number, number>>();
    const seqsByGeneration = views.get(view) ?? new Map<number, number>();
    this.processedSeqs.set(
      stream,
      views.set(view, seqsByGeneration.set(number, Math.max(seq, seqsByGeneration.get(number) ?? 0))),
    );
  }

  /** The higher seq of each generation, without generations that were removed. */
  private mergeSeqs(view: string, before: SeqsByGeneration, own: ReadonlyMap<number, number>): SeqsByGeneration {
    const oldest = this.oldest.get(view) ?? 0;
    const after = Object.fromEntries(Object.entries(before).filter(([number]) => Number(number) >= oldest));
    for (const [number, seq] of own) after[number] = Math.max(after[number] ?? 0, seq);
    return after;
  }
}

/** The most streams of one generation in the cache. */
const STREAMS_MAX = 20_000;
/** A batch of at most so many streams reads no checkpoint of a stream that begins in it. */
const FEW_STREAMS = 8;

/**
 * Caches how far this process followed streams in the current generations. A batch that continues where the previous one ended reads no
 * checkpoints.
 *
 * The cache may be behind the stored checkpoint, never ahead of it: checkpoints only grow. It is behind if another process followed the stream in
 * between. Then this process either misses commits, and reads the checkpoint, or gets commits that were processed before, which changes nothing
 * in a view. For the same reason the first commit of a stream is processed without a read. A large batch does read the checkpoints of streams that
 * begin in it: a feed that starts over delivers all commits again, and processing all of them again would cost more than the reads.
 */
export class CheckpointCache {
  private generations = new Map<string, Map<string, number>>();

  /** Keeps the entries of these generations and forgets all others. */
  keep(names: Iterable<string>): void {
    this.generations = new Map(
      [...names].map((name) => [name, this.generations.get(name) ?? new Map<string, number>()]),
    );
  }

  /** The progress of a generation, read through the cache. The cache advances when the checkpoints of the batch are written. */
  over(name: string, follows: Follows, batch: BatchCheckpoints): StreamProgress {
    const seqs = this.generations.get(name) ?? new Map<string, number>();
    return {
      before: async (firsts) => {
        const least = firsts.size > FEW_STREAMS ? -1 : 0;
        const unknownFirsts = new Map([...firsts].filter(([stream, first]) => (seqs.get(stream) ?? least) < first - 1));
        const read = unknownFirsts.size === 0 ? null : await follows.checkpoints.readStored([...unknownFirsts.keys()]);
        for (const stream of unknownFirsts.keys()) remember(seqs, stream, read?.(stream) ?? 0);
        const now = new Map([...firsts.keys()].map((stream) => [stream, seqs.get(stream) ?? 0]));
        forgetOldest(seqs, STREAMS_MAX);
        return (stream) => now.get(stream) ?? 0;
      },
      advance: (advanced) => {
        if (advanced.size === 0) return Promise.resolve();
        batch.add(follows, advanced, () => {
          for (const [stream, seq] of advanced) remember(seqs, stream, seq);
          forgetOldest(seqs, STREAMS_MAX);
          follows.checkpoints.noteCheckpoints(advanced);
        });
        follows.checkpoints.noteRows(advanced);
        return Promise.resolve();
      },
    };
  }
}

function remember(seqs: Map<string, number>, stream: string, seq: number): void {
  const before = seqs.get(stream) ?? 0;
  seqs.delete(stream);
  seqs.set(stream, Math.max(before, seq));
}
