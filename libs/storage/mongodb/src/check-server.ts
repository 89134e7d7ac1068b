import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { type Hello, problemsOf } from './unavailable-reason';

/** How long the server may take to answer (milliseconds). */
const ANSWER_MS = 5_000;

/**
 * Makes a check of the server, which names its problems. A request that gets no answer hangs until the driver gives up the connection, which
 * takes 40 s: meanwhile further checks wait for the same request, so that they take no more connections.
 */
export function serverCheck(db: Db): () => Promise<string[]> {
  let running: Promise<Hello> | null = null;
  return async () => {
    running ??= (db.admin().command({ hello: 1 }) as Promise<Hello>).finally(() => (running = null));
    try {
      const hello = await Promise.race([running, sleep(ANSWER_MS, null, { ref: false })]);
      if (hello !== null) return problemsOf(hello);
    } catch {
      // The same problem.
    }
    return ['MongoDB does not answer'];
  };
}
