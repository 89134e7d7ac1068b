import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { no, ok, type Result } from '@assurance/kernel';
import { codeOf, messageOf } from './code-of';
import type { Config } from './config';
import type { Listener } from './drain';

type Address = Pick<Config, 'host' | 'port'>;

/**
 * Takes the address for a moment.
 *
 * @returns one sentence that says why it cannot be had
 */
export async function probe({ host, port }: Address): Promise<Result<null, string>> {
  const server = createServer();
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (fault) {
    return no(sentence(fault, host, port));
  }
  server.close();
  await once(server, 'close');
  return ok(null);
}

/**
 * Takes requests.
 *
 * @returns the port, or one sentence that says why the address cannot be had
 */
export async function listen(fastify: Listener, { host, port }: Address): Promise<Result<number, string>> {
  try {
    await fastify.listen({ host, port });
  } catch (fault) {
    return no(sentence(fault, host, port));
  }
  return ok((fastify.server.address() as AddressInfo).port);
}

function sentence(fault: unknown, host: string, port: number): string {
  switch (codeOf(fault)) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another process: stop it, or set ASSURANCE_PORT to another port.`;
    case 'EACCES':
      return `This user may not listen on port ${port}: set ASSURANCE_PORT to another port, such as one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `ASSURANCE_HOST is ${host}, which is no address of this machine.`;
    default:
      return `Cannot listen on port ${port} of ${host} (ASSURANCE_PORT, ASSURANCE_HOST): ${messageOf(fault)}.`;
  }
}
