import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { sha256InSlices } from '@assurance/kernel';
import { RefusalError } from './refusals';

/**
 * How many bytes a gateway adds to a body: its seal. The seal comes last, because the digest of a stream is known only
 * at its end.
 */
export const SEAL_BYTES = 32;

/** The data that the seal of a request's body must match. */
export interface BodySeal {
  /** @param digest SHA-256 of the body's bytes, hexadecimal */
  fits(digest: string, seal: Uint8Array): boolean;
}

/** Whether a request says that a body follows. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * A body without its seal, and its SHA-256 (hexadecimal).
 *
 * @throws RefusalError for a body that differs from what the gateway sent
 */
export async function openBody(seal: BodySeal, sealedBody: Buffer) {
  const end = sealedBody.length - SEAL_BYTES;
  if (end < 0) throw unsealedRefusal();
  const bytes = sealedBody.subarray(0, end);
  const digest = await sha256InSlices(bytes);
  if (!seal.fits(digest, sealedBody.subarray(end))) throw unsealedRefusal();
  return { bytes, digest };
}

/**
 * Digests the bytes of a form while its parser reads them. The parser ignores what follows the form, which is the seal.
 */
export class FormSeal {
  private readonly hash = createHash('sha256');
  private tail: Buffer = Buffer.alloc(0);

  constructor(private readonly seal: BodySeal) {}

  /** Call it right before the parser begins to read. */
  watch(body: Readable): void {
    body.on('data', (piece: Buffer) => this.take(piece));
  }

  /**
   * Call it when the parser has read all. Use no part of the form before.
   *
   * @throws RefusalError for a form that differs from what the gateway sent
   */
  check(): void {
    if (!this.seal.fits(this.hash.digest('hex'), this.tail)) throw unsealedRefusal();
  }

  private take(piece: Buffer): void {
    const all = Buffer.concat([this.tail, piece]);
    const end = Math.max(0, all.length - SEAL_BYTES);
    this.hash.update(all.subarray(0, end));
    this.tail = all.subarray(end);
  }
}

function unsealedRefusal(): RefusalError {
  return new RefusalError({ kind: 'unauthenticated', hint: null });
}
