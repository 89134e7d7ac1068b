import { BELOW_TOO } from '@assurance/contracts/http/routes/subspaces';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** The prefix that older clients use, and the prefix of the API. */
const OLDER = '/api/fastapi/';
const PREFIX = '/api/v2/';
/** Addresses beside the API that are also served below its base URL, for clients that know only the base URL. */
const BELOW = new RegExp(`^/api/v2(${BELOW_TOO.join('|')})(?=$|[?])`);

/** The current address of a request: each route of the API is also served under the older prefix. */
export function currentUrl(url: string): string {
  const current = url.startsWith(OLDER) ? PREFIX + url.slice(OLDER.length) : url;
  return current.replace(BELOW, '$1');
}

/**
 * Rewrites requests under the older prefix to their current address before any other code sees them, so that routes,
 * limits, metrics and logs know only the current address.
 */
export function acceptOlderPrefix(server: Server): void {
  const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== undefined) request.url = currentUrl(request.url);
    for (const listener of listeners) listener.call(server, request, response);
  });
}
