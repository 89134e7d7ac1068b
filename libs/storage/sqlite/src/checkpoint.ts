import { fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { endianness } from 'node:os';
import type { Connection } from './connection';

/** So many pages in the WAL are moved into the file. */
const FRAMES = 1_000;
/** Of the WAL and of each of its pages (sqlite.org/fileformat2.html, 4.1). */
const WAL_HEADER = 32;
const PAGE_SIZE_AT = 8;
const FRAME_HEADER = 24;
/** Of the index of the WAL (sqlite.org/walformat.html, 2.3): its newest page, how many the file has, and up to which those of the WAL were moved. */
const NEWEST_AT = 16;
const PAGES_AT = 20;
const MOVED_AT = 96;
/** How many pages of the WAL are read at once. */
const PIECE = 64;

/**
 * Moves the WAL into the file, and sees to it that it arrived. The driver's own way (0.5.29) takes no notice of a page of the WAL that cannot be read:
 * it writes what was in memory in the page's place, and lets the WAL go. Here each page that was moved is compared with that of the WAL, which is still
 * there, and written again where they differ.
 *
 * Files stay open: closing one would drop the locks that SQLite has on it in this process.
 */
export class Checkpoint {
  private readonly database: number;
  private readonly wal: number;
  private readonly index: number;

  /** @param db with a WAL that has begun, which it does not move by itself */
  constructor(
    private readonly db: Connection,
    file: string,
  ) {
    this.database = openSync(file, 'r+');
    this.wal = openSync(`${file}-wal`, 'r');
    this.index = openSync(`${file}-shm`, 'r');
  }

  /** Moves the WAL when it has grown. What cannot be moved now is moved another time. */
  whenDue(): void {
    if (this.number(NEWEST_AT) >= FRAMES) this.move();
  }

  /**
   * Moves what nobody reads any more. To be called between transactions, by who alone writes.
   *
   * @returns whether that is all of it
   * @throws what the file system says of a page that cannot be read, here either, or written: nothing may be written any more
   */
  move(): boolean {
    const from = this.number(MOVED_AT);
    try {
      this.db.all('PRAGMA wal_checkpoint(PASSIVE)', []);
    } catch {
      // There is no room, or the like: the WAL stays as it is.
    }
    const moved = this.number(MOVED_AT);
    if (moved > from) this.compare(from, moved);
    return moved === this.number(NEWEST_AT);
  }

  /** Compares pages of the WAL after one place up to another with those of the file: of each the newest, which is the one that was moved. */
  private compare(after: number, upTo: number): void {
    const size = read(this.wal, Buffer.alloc(WAL_HEADER), 0).readUInt32BE(PAGE_SIZE_AT);
    const pages = this.number(PAGES_AT);
    const step = FRAME_HEADER + size;
    const pieceOf = Buffer.alloc(PIECE * step);
    const there = Buffer.alloc(size);
    const seen = new Set<number>();
    let mended = false;
    for (let last = upTo; last > after; last -= PIECE) {
      const first = Math.max(after + 1, last - PIECE + 1);
      const frames = read(this.wal, pieceOf.subarray(0, (last - first + 1) * step), WAL_HEADER + (first - 1) * step);
      for (let at = frames.length - step; at >= 0; at -= step) {
        const page = frames.readUInt32BE(at);
        if (seen.has(page) || page > pages) continue;
        seen.add(page);
        const wanted = frames.subarray(at + FRAME_HEADER, at + step);
        const place = (page - 1) * size;
        if (wanted.equals(read(this.database, there, place))) continue;
        writeSync(this.database, wanted, 0, size, place);
        mended = true;
      }
    }
    if (mended) fsyncSync(this.database);
  }

  private number(at: number): number {
    const bytes = read(this.index, Buffer.alloc(4), at);
    return endianness() === 'LE' ? bytes.readUInt32LE() : bytes.readUInt32BE();
  }
}

/** What is there of so many bytes. Tries twice before it gives up. */
function read(fd: number, bytes: Buffer, position: number): Buffer {
  const once = () => bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, position));
  try {
    return once();
  } catch {
    return once();
  }
}
