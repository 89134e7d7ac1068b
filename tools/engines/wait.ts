import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** How long to wait for a server, long enough for a loaded machine (milliseconds). */
const START_MS = 90_000;

/**
 * Waits until a server is ready.
 *
 * @param ready an error counts as "not yet"
 * @param ended the reason why the server ended; null while it runs
 */
export async function untilReady(ready: () => Promise<boolean>, ended: () => string | null): Promise<void> {
  const until = Date.now() + START_MS;
  for (let why: unknown; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const end = ended();
    if (end !== null) throw new Error(end);
    if (Date.now() > until) throw new Error(`not ready after ${START_MS} ms`, { cause: why });
    try {
      if (await ready()) return;
    } catch (error) {
      why = error;
    }
  }
}

/** Finds `count` free ports of the loopback address. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port);
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return ports;
}
