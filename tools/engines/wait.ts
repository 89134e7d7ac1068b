import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { until } from '../common/api.ts';

/** How long to wait for a server, long enough for a loaded machine (milliseconds). */
const START_MS = 90_000;

/**
 * Waits until a server is ready.
 *
 * @param ready an error counts as "not yet"
 * @param ended the reason why the server ended; null while it runs
 */
export async function untilReady(ready: () => Promise<boolean>, ended: () => string | null): Promise<void> {
  let why: unknown;
  const isReady = () => {
    const end = ended();
    if (end !== null) throw new Error(end);
    return ready().catch((fault: unknown) => {
      why = fault;
      return false;
    });
  };
  if (!(await until(isReady, START_MS))) throw new Error(`not ready after ${START_MS} ms`, { cause: why });
}

/** Ports that no system gives to outgoing connections by itself: a server binds them some seconds after they were chosen. */
const [FIRST_PORT, LAST_PORT] = [10_000, 32_000];

/** Finds `count` free ports of the loopback address. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

/** Whether a server can listen on a port of the loopback address. */
export async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1');
  const listens = once(probe, 'listening').then(
    () => true,
    () => false,
  );
  return listens.finally(() => probe.close());
}
