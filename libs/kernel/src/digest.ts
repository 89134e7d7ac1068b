import { hash } from 'node:crypto';

/** SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 lower-case hexadecimal characters. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** The size of a text in UTF-8 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
