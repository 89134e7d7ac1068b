const BYTES = 32;

/** A secret of 255 random bits, as text of letters, digits, `-` and `_`. It begins with a letter, because programs read an argument that begins with `-` as an option. */
export function freshSecret(ids: { random(bytes: number): Uint8Array }): string {
  const [first = 0, ...rest] = ids.random(BYTES);
  // Letters stand for the lower half of the values of six bits.
  return Buffer.from([first & 0x7f, ...rest]).toString('base64url');
}
