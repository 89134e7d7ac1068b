import { BELOW_TOO } from '@assurance/contracts/http/routes/subspaces';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** A prefix that older clients use, and the one of the API. */
const OLDER = '/api/fastapi/';
const PREFIX = '/api/v2/';
/** What is served beside the API, and below its base URL for clients that know no other. */
const BELOW = new RegExp(`^/api/v2(${BELOW_TOO.join('|')})(?=$|[?])`);

/** The address that a request means: every route under the older prefix is that of the API. */
export function currentUrl(url: string): string {
  const present = url.startsWith(OLDER) ? PREFIX + url.slice(OLDER.length) : url;
  return present.replace(BELOW, '$1');
}

/** Gives requests under the older prefix their present address before anybody else sees them: routes, limits, figures and logs know no other. */
export function acceptOlderPrefix(server: Server): void {
  const others = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== undefined) request.url = currentUrl(request.url);
    for (const other of others) other.call(server, request, response);
  });
}
