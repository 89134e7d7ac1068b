/**
 * Makes a UUIDv7 (RFC 9562) from a time and random bytes. Both are arguments, so that a decider stays pure.
 *
 * Ids sort by their time, to the millisecond.
 *
 * @param at time in integer milliseconds since 1970
 * @param random at least 10 random bytes
 */
export function uuidv7(at: number, random: Uint8Array): string {
  if (random.length < 10) throw new RangeError('a UUIDv7 needs 10 random bytes');
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0').slice(-12);
  const hex = Buffer.from(random.buffer, random.byteOffset, 10).toString('hex');
  const variant = ((parseInt(hex[3] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${hex.slice(0, 3)}`,
    `${variant}${hex.slice(4, 7)}`,
    hex.slice(7, 19),
  ].join('-');
}
