import type { IncomingHttpHeaders } from 'node:http';
import { PAGE_HEADER } from '@assurance/contracts-http';

/**
 * Whether a request shows that a page of this service sent it. Pages of others cannot set the header, since no answer here allows it to them.
 * Where the browser also says who sent it, that has to be right too.
 *
 * @param publicUrl where the service is seen from outside
 */
export function isFromPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  if (headers[PAGE_HEADER] === undefined) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return origin === new URL(publicUrl).origin || (URL.canParse(origin) && new URL(origin).host === host);
}
