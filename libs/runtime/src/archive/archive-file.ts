import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { constants, copyFile, link, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ArchiveFault } from '@assurance/event-sourcing/archive/format';
import { codeOf } from '../error-code';

/** The fastest compression level, because gzip is the largest cost of an archive. */
const LEVEL = 1;
const CHUNK_BYTES = 256 * 1024;

/**
 * Writes compressed content to a new file. Only the owner can read the file. It gets its name only when all of it is on
 * disk.
 *
 * @param aside part of the temporary name
 * @returns the size of the file (bytes), and its SHA-256
 * @throws faults of the disk (`EEXIST` if the file exists) and of the content; the temporary file is removed then
 */
export async function writeArchiveFile(
  path: string,
  aside: string,
  content: AsyncIterable<Buffer>,
  signal: AbortSignal,
) {
  const part = `${path}.${aside}.part`;
  const hash = createHash('sha256');
  let size = 0;
  const measure = async function* (source: AsyncIterable<Buffer>) {
    for await (const piece of source) {
      hash.update(piece);
      size += piece.length;
      yield piece;
    }
  };
  try {
    const gzip = createGzip({ level: LEVEL, chunkSize: CHUNK_BYTES });
    const file = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(Readable.from(content, { objectMode: false }), gzip, measure, file, { signal });
    await giveName(part, path);
    return { size, sha256: hash.digest('hex') };
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Gives a complete file its name. A hard link replaces no file that got this name in the meantime. Where there are no hard
 * links, as on a bucket through FUSE, or no renames, it is renamed or copied.
 *
 * @throws `EEXIST` if there is a file of this name
 */
async function giveName(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (fault) {
    if (codeOf(fault) === 'EEXIST') throw fault;
    if ((await sizeOf(path)) !== null) throw Object.assign(new Error(`${path} exists`), { code: 'EEXIST' });
    await rename(part, path).catch(() => copyFile(part, path, constants.COPYFILE_EXCL));
  }
}

/**
 * Reads the content of a compressed file.
 *
 * @param report is called with the number of bytes read from the file
 * @throws ArchiveFault if the file is cut off, is damaged, or is not gzip
 */
export async function* readArchiveFile(path: string, report: (bytes: number) => void): AsyncGenerator<Buffer> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const gunzipPipeline = pipeline(file, gunzip);
  gunzipPipeline.catch(() => undefined);
  try {
    for await (const piece of gunzip) {
      report(file.bytesRead);
      yield piece as Buffer;
    }
    await gunzipPipeline;
  } catch (fault) {
    const code = codeOf(fault) ?? '';
    if (!code.startsWith('Z_') && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw fault;
    throw new ArchiveFault(
      code === 'Z_BUF_ERROR' ? 'ends too early: it was cut off' : 'is damaged, or was not compressed with gzip',
      { cause: fault },
    );
  } finally {
    file.destroy();
  }
}

/** @returns the size of a file (bytes); null if it does not exist */
export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return null;
    throw fault;
  }
}
