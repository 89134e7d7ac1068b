import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { OperationRefused } from '@assurance/event-sourcing/operation';

// Signatures and lengths of the records of PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.12, 4.3.14, 4.3.15 and 4.3.16.
const LOCAL = 0x04034b50;
const [CENTRAL, CENTRAL_BYTES] = [0x02014b50, 46];
const [END, END_BYTES] = [0x06054b50, 22];
const [END_64, END_64_BYTES] = [0x06064b50, 56];
const [LOCATOR_64, LOCATOR_64_BYTES] = [0x07064b50, 20];
const LOCAL_BYTES = 30;
const COMMENT_MAX = 0xffff;
/** A field of 32 bits that stands for one of 64 bits elsewhere. */
const ELSEWHERE = 0xffffffff;
/** The most bytes of the list of files: that of all of OSV has some tens of MiB. */
const DIRECTORY_BYTES = 256 * 1024 * 1024;
const [STORED, DEFLATED] = [0, 8];

const inflated = promisify(inflateRaw) as (data: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>;

/** Reads a part of a file. */
export async function bytesOf(handle: FileHandle, from: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const content = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const { bytesRead } = await handle.read(content, at, length - at, from + at);
    if (bytesRead === 0) throw new OperationRefused('The file became shorter while it was read');
    at += bytesRead;
  }
  return content;
}

export async function isZip(handle: FileHandle, size: number): Promise<boolean> {
  return size >= END_BYTES && [LOCAL, END].includes((await view(handle, 0, 4)).getUint32(0, true));
}

/**
 * The files of a zip file, in the order of its directory.
 *
 * @param most bytes of one of them
 * @throws OperationRefused for a file that is damaged, encrypted, or larger than that
 */
export async function* zippedFiles(
  handle: FileHandle,
  size: number,
  most: number,
): AsyncGenerator<{ readonly name: string; readonly content: Uint8Array }> {
  const { from, length } = await directoryOf(handle, size);
  if (length > DIRECTORY_BYTES || from + length > size) throw damaged();
  const directory = await view(handle, from, length);
  for (let at = 0; at + CENTRAL_BYTES <= length;) {
    if (directory.getUint32(at, true) !== CENTRAL) throw damaged();
    const [flags, method] = [directory.getUint16(at + 8, true), directory.getUint16(at + 10, true)];
    const packed = directory.getUint32(at + 20, true);
    const unpacked = directory.getUint32(at + 24, true);
    const nameLength = directory.getUint16(at + 28, true);
    const more = directory.getUint16(at + 30, true);
    const local = directory.getUint32(at + 42, true);
    const name = textAt(directory, at + CENTRAL_BYTES, nameLength);
    const place =
      local === ELSEWHERE ? offset64(directory, at + CENTRAL_BYTES + nameLength, more, packed, unpacked) : local;
    at += CENTRAL_BYTES + nameLength + more + directory.getUint16(at + 32, true);
    if (name.endsWith('/')) continue;
    if ((flags & 1) === 1) throw new OperationRefused(`${name} in the zip file is encrypted`);
    if (packed > most || unpacked > most)
      throw new OperationRefused(`${name} in the zip file has more than ${most} bytes`);
    const header = await view(handle, place, LOCAL_BYTES, size);
    if (header.getUint32(0, true) !== LOCAL) throw damaged();
    const begin = place + LOCAL_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
    if (begin + packed > size) throw damaged();
    const data = await bytesOf(handle, begin, packed);
    if (method !== STORED && method !== DEFLATED)
      throw new OperationRefused(`${name} in the zip file is packed unusually`);
    const content = method === STORED ? data : await inflated(data, { maxOutputLength: most }).catch(() => null);
    if (content === null) throw damaged();
    yield { name, content };
  }
}

async function directoryOf(handle: FileHandle, size: number) {
  const length = Math.min(size, END_BYTES + COMMENT_MAX);
  const tail = await view(handle, size - length, length);
  for (let at = length - END_BYTES; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== END) continue;
    const [bytes, from] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
    if (bytes !== ELSEWHERE && from !== ELSEWHERE && tail.getUint16(at + 10, true) !== 0xffff)
      return { from, length: bytes };
    const locator = size - length + at - LOCATOR_64_BYTES;
    const found = await view(handle, locator, LOCATOR_64_BYTES, size);
    if (found.getUint32(0, true) !== LOCATOR_64) return { from, length: bytes };
    const end = await view(handle, Number(found.getBigUint64(8, true)), END_64_BYTES, size);
    if (end.getUint32(0, true) !== END_64) throw damaged();
    return { from: Number(end.getBigUint64(48, true)), length: Number(end.getBigUint64(40, true)) };
  }
  throw damaged();
}

/** Where a file begins, of the extra field of 64 bits (section 4.5.3): behind the sizes, which it holds where they do not fit either. */
function offset64(directory: DataView, from: number, length: number, packed: number, unpacked: number): number {
  for (let at = from; at + 4 <= from + length;) {
    const bytes = directory.getUint16(at + 2, true);
    const skipped = 8 * [packed, unpacked].filter((size) => size === ELSEWHERE).length;
    if (directory.getUint16(at, true) === 1 && bytes >= skipped + 8) {
      return Number(directory.getBigUint64(at + 4 + skipped, true));
    }
    at += 4 + bytes;
  }
  throw damaged();
}

async function view(handle: FileHandle, from: number, length: number, size = Infinity): Promise<DataView> {
  if (from < 0 || from + length > size) throw damaged();
  return new DataView((await bytesOf(handle, from, length)).buffer);
}

function textAt({ buffer, byteLength }: DataView, from: number, length: number): string {
  if (from + length > byteLength) throw damaged();
  return Buffer.from(buffer, from, length).toString('utf8');
}

function damaged(): OperationRefused {
  return new OperationRefused('The zip file is damaged');
}
