import type { CollectionShape } from '@assurance/contracts-events';
import type { View } from '@assurance/projection-views';
import type { Documents } from '@assurance/storage-ports';

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

/** The checkpoints of one generation of a view, one document a stream. */
export class ViewCheckpoints {
  /**
   * @param documents those of the generation
   */
  constructor(
    private readonly documents: Documents,
    private readonly view: View,
  ) {}

  /** The seq up to which each stream was followed, 0 where that has not begun. */
  async of(streams: readonly string[]): Promise<(stream: string) => number> {
    const found = await this.documents.collection(checkpointsOf(this.view)).getMany(streams);
    return (stream) => found.get(stream)?.seq ?? 0;
  }

  /** Notes how far streams were followed, at most 1,000 of them. */
  async advance(advanced: ReadonlyMap<string, number>): Promise<void> {
    const writes = [...advanced].map(([id, seq]) => ({ kind: 'forward', id, seq, doc: { seq } }) as const);
    if (writes.length > 0) await this.documents.collection(checkpointsOf(this.view)).write(writes);
  }
}
