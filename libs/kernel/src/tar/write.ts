import { pack, type Pack } from 'tar-stream';

/** A file of an archive. */
export interface TarFile {
  readonly path: string;
  /** The exact size of `content` (bytes). */
  readonly size: number;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

type TarFiles = Iterable<TarFile> | AsyncIterable<TarFile>;

/**
 * Writes files as a tar archive in pieces, at the speed of the reader. A fault ends the pieces with an error, so that
 * the archive never looks complete. If the reader stops early, all open files are closed.
 *
 * @param at the time of every file, in milliseconds; tar keeps whole seconds
 */
export async function* tarOf(files: TarFiles, at: number): AsyncGenerator<Uint8Array> {
  const archive = pack();
  const filling = fill(archive, files, new Date(at)).catch((fault: unknown) => archive.destroy(fault as Error));
  try {
    for await (const piece of archive as AsyncIterable<Uint8Array>) yield piece;
  } finally {
    archive.destroy();
    await filling;
  }
}

async function fill(archive: Pack, files: TarFiles, mtime: Date): Promise<void> {
  for await (const { path: name, size, content } of files) {
    const entry = archive.entry({ name, size, mtime, mode: 0o644 });
    const closing = new Promise<void>((resolve, reject) => {
      entry.once('error', reject);
      entry.once('close', resolve);
    });
    // The `await` below handles an abort that happens before it.
    closing.catch(() => undefined);
    for await (const piece of content) {
      if (entry.destroyed) break;
      if (!entry.write(piece)) await Promise.race([closing, waitForDrain(entry)]);
    }
    entry.end(null);
    await closing;
    if (archive.destroyed) return;
  }
  archive.finalize();
}

function waitForDrain(entry: ReturnType<Pack['entry']>): Promise<void> {
  return new Promise((resolve) => {
    entry.once('drain', () => resolve());
  });
}
