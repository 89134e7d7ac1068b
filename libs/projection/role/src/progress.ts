import type { CollectionShape } from '@assurance/contracts-events';
import type { View } from '@assurance/projection-views';
import type { Documents } from '@assurance/storage-ports';

/** How far a generation of a view has followed a stream: written after the effect. The document's id is the stream. */
export interface ProgressDocument {
  readonly seq: number;
}

const shapes = new WeakMap<View, CollectionShape<ProgressDocument>>();

/** Where a view's progress is kept: a collection of its own, which goes with its generation. */
export function progressOf(view: View): CollectionShape<ProgressDocument> {
  const known = shapes.get(view);
  if (known !== undefined) return known;
  const shape = { name: `progress_${view.name.replaceAll('-', '_')}`, deferred: 'last', indexes: [] } as const;
  shapes.set(view, shape);
  return shape;
}

/** Progress of one generation of a view, one document a stream. */
export class Progress {
  /**
   * @param documents those of the generation
   */
  constructor(
    private readonly documents: Documents,
    private readonly view: View,
  ) {}

  /** The seq up to which each stream was followed, 0 where that has not begun. */
  async of(streams: readonly string[]): Promise<(stream: string) => number> {
    const found = await this.documents.collection(progressOf(this.view)).getMany(streams);
    return (stream) => found.get(stream)?.seq ?? 0;
  }

  /** Notes how far streams were followed, at most 1,000 of them. */
  async reach(reached: ReadonlyMap<string, number>): Promise<void> {
    const writes = [...reached].map(([id, seq]) => ({ kind: 'forward', id, seq, doc: { seq } }) as const);
    if (writes.length > 0) await this.documents.collection(progressOf(this.view)).write(writes);
  }
}
