import { pipeline, type Readable } from 'node:stream';
import { extract } from 'tar-stream';

/** One entry of an archive. */
export interface TarEntry {
  readonly path: string;
  /** `file`, or another type of tar-stream, such as `directory` or `symlink`. */
  readonly type: string;
  /** The caller must read it to its end before it asks for the next entry. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Reads the entries of a tar archive in order. It throws if the archive is damaged or ends too early, or if its stream
 * fails.
 */
export async function* entriesOf(archive: Readable): AsyncGenerator<TarEntry> {
  const entries = extract();
  // The last stream of the pipeline reports the errors of all its streams.
  pipeline(archive, entries, () => undefined);
  for await (const entry of entries) {
    const { name: path, type } = entry.header;
    yield { path, type: String(type), content: entry as AsyncIterable<Uint8Array> };
  }
}
