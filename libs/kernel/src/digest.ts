import { createHash, hash } from 'node:crypto';
import { Slices } from './slices';

/** The size of one step (bytes). A step takes less than a millisecond. */
const STEP_BYTES = 1024 * 1024;

/** SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 lower-case hexadecimal characters. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** `sha256` in slices. It returns the digest at once if `content` fits in one step. */
export function sha256InSlices(content: Uint8Array): string | Promise<string> {
  return content.length <= STEP_BYTES ? sha256(content) : sha256OfMany(content);
}

async function sha256OfMany(content: Uint8Array): Promise<string> {
  const slices = new Slices();
  const digest = createHash('sha256');
  for (let from = 0; from < content.length; from += STEP_BYTES) {
    digest.update(content.subarray(from, from + STEP_BYTES));
    if (slices.over) await slices.next();
  }
  return digest.digest('hex');
}

/** The size of a text in UTF-8 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
