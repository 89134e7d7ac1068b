import { setTimeout } from 'node:timers/promises';

const PATIENCE_MS = 30_000;
const PAUSE_MS = 10;

/** Reads again and again until what was read is as wanted, and returns it; after 30 s the last of it, for the test to refuse. */
export async function eventually<T>(read: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await setTimeout(PAUSE_MS)) {
    const value = await read();
    if (wanted(value) || Date.now() > end) return value;
  }
}
