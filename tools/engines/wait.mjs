import { once } from 'node:events';
import { createServer } from 'node:net';

/** A loaded machine is slow; a server that is not up by then will not be (milliseconds). */
const START_MS = 90_000;

/**
 * Waits until a server is ready.
 *
 * @param {() => Promise<boolean>} ready what it throws is taken for "not yet"
 * @param {() => string | null} ended why it never will be
 */
export async function untilReady(ready, ended) {
  const until = Date.now() + START_MS;
  for (let why; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
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

/** `count` free ports of the loopback address. */
export async function freePorts(count) {
  const probes = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(probes.map((probe) => once(probe, 'listening')));
  const ports = probes.map((probe) => probe.address().port);
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')));
  return ports;
}
