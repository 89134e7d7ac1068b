import type { Blobs } from '@assurance/storage-ports';
import { unique } from '../harness';

/** Bytes that no other call gave. */
export function bytes(length: number): Buffer {
  const seed = Buffer.from(`${unique('blob')}/`);
  return Buffer.alloc(length, seed);
}

/** Content in pieces of a size, each in a later turn. */
export async function* pieces(content: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < content.length; from += size) {
    await new Promise((resolve) => setImmediate(resolve));
    yield content.subarray(from, from + size);
  }
}

/** The whole content of a blob; null if it does not exist. */
export async function readAll(blobs: Blobs, org: string, sha256: string): Promise<Buffer | null> {
  const opened = await blobs.open(org, sha256);
  if (opened === null) return null;
  const parts: Uint8Array[] = [];
  for await (const part of opened) parts.push(part);
  return Buffer.concat(parts);
}
