import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { ServerTls } from '@assurance/http';
import type { Address } from '../config';
import type { Listener } from '../drain';

/**
 * Serves the operations address while the engines open. That takes minutes if an index of a large collection is built, or
 * if derived documents are rebuilt. `GET /live` answers OK, so that no supervisor ends the process. Every other request
 * gets 503.
 *
 * @param tls null: plain HTTP
 */
export function startingListener(tls: ServerTls | null): Listener {
  const handleRequest = ({ url = '', method }: IncomingMessage, response: ServerResponse) => {
    const live = /^\/live(\?|$)/.test(url) && (method === 'GET' || method === 'HEAD');
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', connection: 'close' };
    response.writeHead(live ? 200 : 503, live ? headers : { ...headers, 'retry-after': '1' });
    response.end(live ? 'OK' : 'the service is starting');
  };
  const server = tls === null ? createServer(handleRequest) : createSecureServer({ ...tls }, handleRequest);
  return {
    server,
    listen: (address: Address) => once(server.listen(address), 'listening'),
    close: () => new Promise((closed) => server.close(closed)),
  };
}
