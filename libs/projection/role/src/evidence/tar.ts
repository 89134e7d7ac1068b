import { pack, type Pack } from 'tar-stream';
import type { Evidence, EvidenceFile } from './files';

/**
 * Files as a tar archive, in pieces, no faster than they are taken. A fault ends the pieces with an error, never as a whole archive; whoever takes
 * no more lets go of what is open.
 */
export async function* tarOf({ at, files }: Evidence): AsyncGenerator<Uint8Array> {
  const archive = pack();
  const filled = fill(archive, files, new Date(at)).catch((fault: unknown) => archive.destroy(fault as Error));
  try {
    for await (const piece of archive as AsyncIterable<Uint8Array>) yield piece;
  } finally {
    archive.destroy();
    await filled;
  }
}

async function fill(archive: Pack, files: readonly EvidenceFile[], mtime: Date): Promise<void> {
  for (const { name, size, open } of files) {
    const entry = archive.entry({ name, size, mtime, mode: 0o644 });
    const ended = new Promise<void>((resolve, reject) => {
      entry.once('error', reject);
      entry.once('close', resolve);
    });
    for await (const piece of await open()) {
      if (entry.destroyed) break;
      if (!entry.write(piece)) await Promise.race([ended, drained(entry)]);
    }
    entry.end(null);
    await ended;
    if (archive.destroyed) return;
  }
  archive.finalize();
}

function drained(entry: ReturnType<Pack['entry']>): Promise<void> {
  return new Promise((resolve) => {
    entry.once('drain', () => resolve());
  });
}
