import { isUtf8 } from 'node:buffer';

/** A file of an attestation. */
export interface AttachedFile {
  readonly filename: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** How many bytes of an attestation's files are searched for scanner reports, also in archives. */
export const SCAN_BYTES_MAX = 64 * 1024 * 1024;
/** How many bytes of a file `mayHoldReport` needs. */
export const BEGINNING_BYTES = 512;

/** How much of a file in UTF-16 is decoded at once (bytes). */
const PIECE = 1024 * 1024;

const [OPEN_OBJECT, OPEN_LIST] = [0x7b, 0x5b];
const SPACES = [0x20, 0x0a, 0x0d, 0x09];
const MARK = [0xef, 0xbb, 0xbf];
/** The text `ustar` in a tar archive, and its offset. */
const [TAR_AT, TAR] = [257, [0x75, 0x73, 0x74, 0x61, 0x72]];

const startsWith = (bytes: Uint8Array, start: readonly number[], at = 0) =>
  start.every((byte, i) => bytes[at + i] === byte);

/** Whether a file begins like a JSON object or list, in UTF-8 or in UTF-16 with a byte order mark. */
export function isJson(bytes: Uint8Array): boolean {
  const encoding = encodingOf(bytes);
  const size = encoding === 'utf-8' ? 1 : 2;
  const unitAt = (at: number) => {
    const [first = 0, second = 0] = bytes.subarray(at, at + size);
    return encoding === 'utf-16be' ? first * 256 + second : second * 256 + first;
  };
  let at = size === 2 ? 2 : startsWith(bytes, MARK) ? MARK.length : 0;
  while (SPACES.includes(unitAt(at))) at += size;
  return unitAt(at) === OPEN_OBJECT || unitAt(at) === OPEN_LIST;
}

/** The encoding of a text file. UTF-16 needs a byte order mark. */
export function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le';
  return startsWith(bytes, [0xfe, 0xff]) ? 'utf-16be' : 'utf-8';
}

/**
 * Encodes a file in UTF-8. It decodes a file in UTF-16 piece by piece, so that no text of the whole file is in memory.
 *
 * @param maxBytes bytes of the result
 * @returns null if the file has more
 * @throws TypeError if the file has malformed UTF-8 or UTF-16
 */
export function inUtf8(bytes: Buffer, maxBytes: number): Buffer | null {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf-8') {
    if (!isUtf8(bytes)) throw new TypeError('it is no UTF-8');
    return bytes;
  }
  const decoder = new TextDecoder(encoding, { fatal: true });
  const all: Buffer[] = [];
  let size = 0;
  for (let at = 0; at < bytes.length && size <= maxBytes; at += PIECE) {
    const stream = at + PIECE < bytes.length;
    const piece = Buffer.from(decoder.decode(bytes.subarray(at, at + PIECE), { stream }));
    all.push(piece);
    size += piece.length;
  }
  return size <= maxBytes ? Buffer.concat(all) : null;
}

export function isGzip(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x1f, 0x8b]);
}

export function isTar(bytes: Uint8Array): boolean {
  return startsWith(bytes, TAR, TAR_AT);
}

/**
 * Whether a file may be a scanner report, or an archive with a report: JSON, gzip or tar.
 *
 * @param firstBytes at least the first 512 bytes, or the whole file
 */
export function mayHoldReport(firstBytes: Uint8Array): boolean {
  return isJson(firstBytes) || isGzip(firstBytes) || isTar(firstBytes);
}
