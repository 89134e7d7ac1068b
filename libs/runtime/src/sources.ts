import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from '@assurance/http';
import { uuidv7 } from '@assurance/kernel';

const UUID_BYTES = 10;

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** The machine's random source. */
export const systemRandom = (bytes: number): Uint8Array => randomBytes(bytes);

/** Ids made of a clock and a random source: the only place where they come together. */
export function idsOf(clock: Clock, random: (bytes: number) => Uint8Array): Ids {
  return { next: () => uuidv7(clock.now(), random(UUID_BYTES)), random };
}
