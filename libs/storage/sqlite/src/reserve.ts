import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'reserve';
/** What a start writes at most, files that SQLite makes beside its databases included (bytes). */
const BYTES = 1024 * 1024;
const PIECE = Buffer.alloc(16 * 1024);

/** Room on the disk that only a start uses, so that a service starts, and serves reads, on a full disk. */
export class Reserve {
  private readonly path: string;

  constructor(folder: string) {
    this.path = join(folder, FILE);
  }

  /** Gives the room to the start. */
  free(): Promise<void> {
    return rm(this.path, { force: true });
  }

  /** Takes the room again; on a full disk what is left of it. */
  async keep(): Promise<void> {
    const file = await open(this.path, 'w', 0o600).catch(() => null);
    try {
      for (let size = 0; file !== null && size < BYTES; size += PIECE.length) await file.write(PIECE);
    } catch {
      // The disk is full.
    } finally {
      await file?.close();
    }
  }
}
