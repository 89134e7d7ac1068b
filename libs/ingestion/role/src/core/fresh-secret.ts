const BYTES = 32;

/** Generates a key or secret: 256 random bits as text. */
export function freshSecret(ids: { random(bytes: number): Uint8Array }): string {
  return Buffer.from(ids.random(BYTES)).toString('base64url');
}
