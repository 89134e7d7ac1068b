import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A replacement of a service that fails on demand. */
export interface PretendService {
  /** Without a slash at its end. */
  readonly url: string;
  /** The requests that reached it so far. */
  readonly requests: readonly IncomingMessage[];
  stop(): void;
}

export async function pretend(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<PretendService> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, requests, stop };
}

/** An address without a listener. */
export async function nobody(): Promise<string> {
  const { url, stop } = await pretend((_request, response) => response.end());
  stop();
  return url;
}
