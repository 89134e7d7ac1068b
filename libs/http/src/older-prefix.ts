import { BELOW_TOO } from '@assurance/contracts/http/routes/subspaces';
import type { Server } from 'node:http';
import { handleFirst } from './handle-first';

/** The prefix that older clients use, and the prefix of the API. */
const OLDER = '/api/fastapi/';
const PREFIX = '/api/v2/';
/** Addresses beside the API that are also served below its base URL, for clients that know only the base URL. */
const BELOW = new RegExp(`^/api/v2(${BELOW_TOO.join('|')})(?=$|[?])`);
const BELOW_STARTS = BELOW_TOO.map((path) => `/api/v2${path}`);

/** The current address of a request: each route of the API is also served under the older prefix. */
export function currentUrl(url: string): string {
  const current = url.startsWith(OLDER) ? PREFIX + url.slice(OLDER.length) : url;
  // Most addresses are others, and comparing their start costs less than the expression.
  return BELOW_STARTS.some((start) => current.startsWith(start)) ? current.replace(BELOW, '$1') : current;
}

/**
 * Rewrites requests under the older prefix to their current address before any other code sees them, so that routes,
 * limits, metrics and logs know only the current address.
 */
export function acceptOlderPrefix(server: Server): void {
  handleFirst(server, (request, response, pass) => {
    if (request.url !== undefined) request.url = currentUrl(request.url);
    pass(request, response);
  });
}
