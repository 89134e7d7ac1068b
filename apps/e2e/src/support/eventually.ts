import { setTimeout } from 'node:timers/promises';

const PATIENCE_MS = 30_000;
const [FIRST_PAUSE_MS, LAST_PAUSE_MS] = [10, 100];

/**
 * Reads again and again until what was read is as wanted, and returns it; after some patience the last of it, for the test to refuse. Pauses
 * become longer: each read costs the services time that they need for what is awaited.
 *
 * @param patienceMs milliseconds
 */
export async function eventually<T>(
  read: () => Promise<T> | T,
  predicate: (value: T) => boolean,
  patienceMs = PATIENCE_MS,
): Promise<T> {
  const end = Date.now() + patienceMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LAST_PAUSE_MS)) {
    const value = await read();
    if (predicate(value) || Date.now() > end) return value;
    await setTimeout(pause);
  }
}
