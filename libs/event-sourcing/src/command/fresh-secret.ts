const BYTES = 32;

/** A secret of 255 random bits, as letters, digits, `-` and `_`. It begins with a letter, because programs read `-` at the start as an option. */
export function freshSecret(ids: { random(bytes: number): Uint8Array }): string {
  const [first = 0, ...rest] = ids.random(BYTES);
  // In base64, the six-bit values from 0 to 31 are letters.
  return Buffer.from([first & 0x7f, ...rest]).toString('base64url');
}
