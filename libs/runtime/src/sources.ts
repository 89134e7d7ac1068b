import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from '@assurance/event-sourcing/tokens';
import { uuidv7 } from '@assurance/kernel';

const UUID_BYTES = 10;

/** The time of the machine's clock. */
export const systemTime = () => Date.now();

const POOL_BYTES = 4_096;
/** Larger requests are for keys and secrets. They get their own bytes, not bytes of the shared buffer. */
const POOLED_MAX = 16;
let pool: Uint8Array = new Uint8Array(0);

/**
 * The machine's random source. Every request needs ids, and a call to the system costs more than making an id, so the
 * bytes for many ids are read together.
 */
export const systemRandom = (bytes: number): Uint8Array => {
  if (bytes > POOLED_MAX) return randomBytes(bytes);
  if (pool.length < bytes) pool = randomBytes(POOL_BYTES);
  const bytesDrawn = pool.subarray(0, bytes);
  pool = pool.subarray(bytes);
  return bytesDrawn;
};

/** Makes ids from a clock and a random source. */
export function idsOf(clock: Pick<Clock, 'now'>, random: (bytes: number) => Uint8Array): Ids {
  return { next: () => uuidv7(clock.now(), random(UUID_BYTES)), random };
}
