import type { CollectionShape } from '@assurance/contracts-events';
import type { Documents } from '@assurance/storage-ports';

/** How far a view has followed a stream: written after the effect. The document's id is `<view>/<stream>`. */
export interface ProgressDocument {
  readonly seq: number;
}

const progress: CollectionShape<ProgressDocument> = { name: 'progress', indexes: [] };

/** Progress of views, one document a view and stream. */
export class Progress {
  constructor(private readonly documents: Documents) {}

  /** The seq up to which a view has followed each stream, 0 where it has not begun. */
  async of(view: string, streams: readonly string[]): Promise<(stream: string) => number> {
    const found = await this.documents.collection(progress).getMany(streams.map((stream) => `${view}/${stream}`));
    return (stream) => found.get(`${view}/${stream}`)?.seq ?? 0;
  }

  async reach(view: string, stream: string, seq: number): Promise<void> {
    await this.documents.collection(progress).write([{ kind: 'forward', id: `${view}/${stream}`, seq, doc: { seq } }]);
  }
}
