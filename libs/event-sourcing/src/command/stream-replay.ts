import type { Aggregate, AggregateState, CollectionShape } from '@assurance/contracts/events/aggregate';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { Slices } from '@assurance/kernel';
import type { Commit, Documents, Part, Write } from '@assurance/storage-ports';
import { metaOf } from '../sealing/read';

/** How many documents are collected before they are written. The limit bounds the memory that folding needs. */
const GATHERED_MAX = 5_000;
/** After so many documents, other work may run. */
const SLICED = 64;

/**
 * Orders stored documents by schema version, then repair epoch, then seq, so that a newer schema version overwrites an older one. A
 * repair raises the repair epoch of a stream: states that were folded from the damaged state cannot overwrite the repaired one, and the
 * feed folds those commits again.
 */
export function rank(schemaVersion: number, repairEpoch: number, seq: number): number {
  if (repairEpoch >= 2 ** 8) throw new RangeError(`a stream has repair epochs from 0 to 255, not ${repairEpoch}`);
  return schemaVersion * 2 ** 40 + repairEpoch * 2 ** 32 + seq;
}

/** The repair epoch of a loaded or stored state. States folded from it keep it. */
export function repairEpochOf(state: object | null): number {
  return (state as { readonly era?: number } | null)?.era ?? 0;
}

/**
 * Folds commits of one stream in memory and writes the results once: the inline projections first, each as the newest commit left it,
 * then the aggregate state. So an aggregate state of seq n means that all documents up to n are stored.
 */
export class StreamReplay<State extends object, Event extends DomainEvent> {
  private latest: AggregateState<State> | null = null;
  private readonly writesByCollection = new Map<CollectionShape<object>, Map<string, Write<object>>>();
  private count = 0;
  private readonly repairEpoch: number;

  /** @param before the state before the first commit that is applied, null before the first event */
  constructor(
    private readonly documents: Pick<Documents, 'writeInOrder'>,
    private readonly aggregate: Aggregate<State, Event>,
    private readonly before: State | null,
  ) {
    this.repairEpoch = repairEpochOf(before);
  }

  /** The state after all applied commits. */
  get state(): State | null {
    return this.latest ?? this.before;
  }

  async apply(commit: Commit, events: readonly Event[]): Promise<AggregateState<State>> {
    const { aggregate, repairEpoch } = this;
    const seq = rank(aggregate.schemaVersion, repairEpoch, commit.seq);
    const meta = metaOf(commit);
    const slices = new Slices();
    let after = this.state;
    for (const event of events) {
      const before: State | null = after;
      after = aggregate.evolve(before, event, meta);
      for (const { collection, id, doc } of aggregate.inlineProjections?.(after, event, meta, before) ?? []) {
        if (this.count % SLICED === 0) await slices.pause();
        this.collectWrite(
          collection,
          id,
          doc === null ? { kind: 'remove', id, seq } : { kind: 'forward', id, seq, doc },
        );
      }
    }
    if (after === null) throw new Error(`commit ${commit.stream}#${commit.seq} has no events`);
    this.latest = {
      ...after,
      seq: commit.seq,
      fold: aggregate.schemaVersion,
      ...(repairEpoch === 0 ? {} : { era: repairEpoch }),
    };
    if (this.count >= GATHERED_MAX) await this.documents.writeInOrder([this.parts()]);
    return this.latest;
  }

  /**
   * Writes the pending documents; does nothing when no commit was folded.
   *
   * @param stream the stream of the commits
   * @param partsBeside further documents, written together with the documents of the commits
   */
  async write(stream: string, partsBeside: readonly Part[] = []): Promise<void> {
    const { latest, aggregate } = this;
    if (latest === null) return;
    const write: Write<AggregateState<State>> = {
      kind: 'forward',
      id: stream,
      seq: rank(aggregate.schemaVersion, this.repairEpoch, latest.seq),
      doc: latest,
    };
    await this.documents.writeInOrder([
      [...this.parts(), ...partsBeside],
      [{ collection: aggregate.states, writes: [write] }],
    ]);
  }

  private collectWrite(collection: CollectionShape<object>, id: string, write: Write<object>): void {
    const collectionWrites = this.writesByCollection.get(collection) ?? new Map<string, Write<object>>();
    this.writesByCollection.set(collection, collectionWrites);
    if (!collectionWrites.has(id)) this.count += 1;
    collectionWrites.set(id, write);
  }

  private parts(): Part[] {
    const parts = [...this.writesByCollection].map(([collection, writes]): Part => ({
      collection,
      writes: [...writes.values()],
    }));
    this.writesByCollection.clear();
    this.count = 0;
    return parts;
  }
}
