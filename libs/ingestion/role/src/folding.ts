import type { Aggregate, CollectionShape, DomainEvent, Head } from '@assurance/contracts-events';
import type { Commit, Documents, Part, Write } from '@assurance/storage-ports';
import { Slices } from '@assurance/kernel';
import { metaOf } from '@assurance/storage-records';

/** Documents that are collected before they are written, so that folding needs bounded memory. */
const GATHERED_MAX = 5_000;
/** Documents after which other work gets a turn. */
const SLICED = 64;

/**
 * Orders what is kept: by fold version, then era, then seq, so that a fold of a newer version writes over an older one's. A repair raises a
 * stream's era: what is folded on from the damaged head comes too late, and the feed folds it again from the repaired one.
 */
export function rank(fold: number, era: number, seq: number): number {
  if (era >= 2 ** 8) throw new RangeError(`a stream has eras from 0 to 255, not ${era}`);
  return fold * 2 ** 40 + era * 2 ** 32 + seq;
}

/** The repair epoch of a loaded or stored state. States folded from it keep it. */
export function eraOf(state: object | null): number {
  return (state as { readonly era?: number } | null)?.era ?? 0;
}

/**
 * Folds commits of one stream in memory and writes what they leave, once however many they are: the small documents first, each as the newest
 * commit left it, then the head. A head of seq n therefore says that all documents up to n are there.
 */
export class Folding<State extends object, Event extends DomainEvent> {
  private head: Head<State> | null = null;
  private readonly gathered = new Map<CollectionShape<object>, Map<string, Write<object>>>();
  private count = 0;
  private readonly era: number;

  /** @param state the state before the first commit that is taken, null before the first event */
  constructor(
    private readonly documents: Pick<Documents, 'writeInOrder'>,
    private readonly aggregate: Aggregate<State, Event>,
    private readonly before: State | null,
  ) {
    this.era = eraOf(before);
  }

  /** The state after all that was taken. */
  get state(): State | null {
    return this.head ?? this.before;
  }

  async take(commit: Commit, events: readonly Event[]): Promise<Head<State>> {
    const { aggregate, era } = this;
    const seq = rank(aggregate.fold, era, commit.seq);
    const meta = metaOf(commit);
    const slices = new Slices();
    let after = this.state;
    for (const event of events) {
      const before: State | null = after;
      after = aggregate.evolve(before, event, meta);
      for (const { collection, id, doc } of aggregate.kept?.(after, event, meta, before) ?? []) {
        if (this.count % SLICED === 0) await slices.pause();
        this.gather(collection, id, doc === null ? { kind: 'remove', id, seq } : { kind: 'forward', id, seq, doc });
      }
    }
    if (after === null) throw new Error(`commit ${commit.stream}#${commit.seq} has no events`);
    this.head = { ...after, seq: commit.seq, fold: aggregate.fold, ...(era === 0 ? {} : { era }) };
    if (this.count >= GATHERED_MAX) await this.documents.writeInOrder([this.parts()]);
    return this.head;
  }

  /**
   * Writes the pending documents; does nothing when no commit was folded.
   *
   * @param stream of the commits
   * @param beside further documents, written with those of the commits
   */
  async write(stream: string, beside: readonly Part[] = []): Promise<void> {
    const { head, aggregate } = this;
    if (head === null) return;
    const write: Write<Head<State>> = {
      kind: 'forward',
      id: stream,
      seq: rank(aggregate.fold, this.era, head.seq),
      doc: head,
    };
    await this.documents.writeInOrder([
      [...this.parts(), ...beside],
      [{ collection: aggregate.heads, writes: [write] }],
    ]);
  }

  private gather(collection: CollectionShape<object>, id: string, write: Write<object>): void {
    const its = this.gathered.get(collection) ?? new Map<string, Write<object>>();
    this.gathered.set(collection, its);
    if (!its.has(id)) this.count += 1;
    its.set(id, write);
  }

  private parts(): Part[] {
    const parts = [...this.gathered].map(([collection, writes]): Part => ({
      collection,
      writes: [...writes.values()],
    }));
    this.gathered.clear();
    this.count = 0;
    return parts;
  }
}
