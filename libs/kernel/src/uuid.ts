/**
 * A UUIDv7 (RFC 9562) made of a time and random bytes; both are arguments, so that a decider stays pure.
 *
 * Ids made later sort later, to the millisecond.
 *
 * @param at time in integer milliseconds since 1970
 * @param random at least 10 random bytes
 */
export function uuidv7(at: number, random: Uint8Array): string {
  if (random.length < 10) throw new RangeError('a UUIDv7 needs 10 random bytes');
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0').slice(-12);
  const version = 0x70 | (byte(random, 0) & 0x0f);
  const variant = 0x80 | (byte(random, 2) & 0x3f);
  let rest = '';
  for (let i = 4; i < 10; i += 1) rest += hex(byte(random, i));
  const middle = `${hex(version)}${hex(byte(random, 1))}-${hex(variant)}${hex(byte(random, 3))}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-${middle}-${rest}`;
}

const HEX = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));

function hex(value: number): string {
  return HEX[value] ?? '';
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
