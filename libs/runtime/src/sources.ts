import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from '@assurance/event-sourcing/tokens';
import { uuidv7 } from '@assurance/kernel';

const UUID_BYTES = 10;

/** The time of the machine's clock. */
export const systemTime = () => Date.now();

const POOL_BYTES = 4_096;
/** Larger requests are for keys and secrets. They get bytes of their own, which are not kept in a shared buffer. */
const POOLED_MAX = 16;
let pool: Uint8Array = new Uint8Array(0);

/**
 * The machine's random source. Every request needs ids, and asking the system costs more than making one, so the bytes
 * of many ids are read together.
 */
export const systemRandom = (bytes: number): Uint8Array => {
  if (bytes > POOLED_MAX) return randomBytes(bytes);
  if (pool.length < bytes) pool = randomBytes(POOL_BYTES);
  const drawn = pool.subarray(0, bytes);
  pool = pool.subarray(bytes);
  return drawn;
};

/** Ids made of a clock and a random source: the only place where they come together. */
export function idsOf(clock: Pick<Clock, 'now'>, random: (bytes: number) => Uint8Array): Ids {
  return { next: () => uuidv7(clock.now(), random(UUID_BYTES)), random };
}
