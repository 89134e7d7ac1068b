import { pipeline, type Readable } from 'node:stream';
import { extract } from 'tar-stream';

/** One entry of an archive. */
export interface TarEntry {
  readonly path: string;
  /** `file`, or what else it is: a folder, a link. */
  readonly type: string;
  /** Has to be taken to its end before the next entry comes. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * The entries of a tar archive, in its order. A fault of the archive or of its stream, or an archive that ends too
 * early, ends them with an error.
 */
export async function* entriesOf(archive: Readable): AsyncGenerator<TarEntry> {
  const entries = extract();
  // The last stream of the pipeline reports the error of any of them.
  pipeline(archive, entries, () => undefined);
  for await (const entry of entries) {
    const { name: path, type } = entry.header;
    yield { path, type: String(type), content: entry as AsyncIterable<Uint8Array> };
  }
}
