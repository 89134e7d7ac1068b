import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** A prefix that older clients use, and the one of the API. */
const OLDER = '/api/fastapi/';
const PREFIX = '/api/v2/';

/** The address that a request means: every route under the older prefix is that of the API. */
export function presentUrl(url: string): string {
  return url.startsWith(OLDER) ? PREFIX + url.slice(OLDER.length) : url;
}

/** Gives requests under the older prefix their present address before anybody else sees them: routes, limits, figures and logs know no other. */
export function acceptOlderPrefix(server: Server): void {
  const others = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== undefined) request.url = presentUrl(request.url);
    for (const other of others) other.call(server, request, response);
  });
}
