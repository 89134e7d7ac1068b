import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Handles a request. */
type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Handles the requests of a server before all its present listeners.
 *
 * @param handle answers a request itself, or passes it to those listeners
 */
export function handleFirst(
  server: Server,
  handle: (request: IncomingMessage, response: ServerResponse, pass: Listener) => void,
): void {
  const listeners = server.listeners('request') as Listener[];
  const pass: Listener = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => handle(request, response, pass));
}
