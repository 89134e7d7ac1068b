/** A file of an attestation. */
export interface AttachedFile {
  readonly filename: string;
  readonly content: Uint8Array<ArrayBuffer>;
}

/** How many bytes of an attestation's files are searched for scanner reports, also in archives. */
export const SCAN_BYTES_MAX = 64 * 1024 * 1024;
/** How many bytes of a file `mayHoldReport` needs. */
export const BEGINNING_BYTES = 512;

const [OPEN_OBJECT, OPEN_LIST] = [0x7b, 0x5b];
const SPACES = [0x20, 0x0a, 0x0d, 0x09];
const MARK = [0xef, 0xbb, 0xbf];
/** The text `ustar` in a tar archive, and its offset. */
const [TAR_AT, TAR] = [257, [0x75, 0x73, 0x74, 0x61, 0x72]];

const startsWith = (bytes: Uint8Array, start: readonly number[], at = 0) =>
  start.every((byte, i) => bytes[at + i] === byte);

/** Whether a file begins like a JSON object or list. */
export function isJson(bytes: Uint8Array): boolean {
  let at = startsWith(bytes, MARK) ? MARK.length : 0;
  while (SPACES.includes(bytes[at] ?? 0)) at += 1;
  return bytes[at] === OPEN_OBJECT || bytes[at] === OPEN_LIST;
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
 * @param beginning at least the first 512 bytes, or the whole file
 */
export function mayHoldReport(beginning: Uint8Array): boolean {
  return isJson(beginning) || isGzip(beginning) || isTar(beginning);
}
