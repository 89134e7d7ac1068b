import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { err, ok, type Result } from '@assurance/kernel';
import { codeOf, messageOf } from './error-code';
import type { Address } from './config';
import type { Listener } from './drain';

/** The names of the settings of an address, for messages. */
const API = { port: 'ASSURANCE_PORT', host: 'ASSURANCE_HOST' };
export const OPERATIONS = { port: 'ASSURANCE_OPERATIONS_PORT', host: 'ASSURANCE_OPERATIONS_HOST' };

/**
 * Listens on the address for a moment, to check that it is free.
 *
 * @returns null, or one sentence that says why the address cannot be used
 */
export async function probeAddress({ host, port }: Address, settings = API): Promise<Result<null, string>> {
  const server = createServer();
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (fault) {
    return err(sentence(fault, { host, port }, settings));
  }
  server.close();
  await once(server, 'close');
  return ok(null);
}

/**
 * Starts to accept requests.
 *
 * @returns the port, or one sentence that says why the address cannot be used
 */
export async function listen(
  listener: Listener,
  { host, port }: Address,
  settings = API,
): Promise<Result<number, string>> {
  const { server, more = [] } = listener;
  try {
    await listener.listen({ host, port, reusePort: more.length > 0 });
    const boundPort = (server.address() as AddressInfo).port;
    const startListening = (candidate: Server) =>
      once(candidate.listen({ host, port: boundPort, reusePort: true }), 'listening');
    await Promise.all(more.map(startListening));
    return ok(boundPort);
  } catch (fault) {
    return err(sentence(fault, { host, port }, settings));
  }
}

function sentence(fault: unknown, { host, port }: Address, settings: typeof API): string {
  switch (codeOf(fault)) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another process: stop it, or set ${settings.port} to another port.`;
    case 'EACCES':
      return `This user may not listen on port ${port}: set ${settings.port} to another port, such as one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${settings.host} is ${host}, which is not an address of this machine.`;
    default:
      return `Cannot listen on port ${port} of ${host} (${settings.port}, ${settings.host}): ${messageOf(fault)}.`;
  }
}
