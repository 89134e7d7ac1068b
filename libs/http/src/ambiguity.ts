import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { echo, trimBoth } from '@assurance/kernel';
import { handleFirst } from './handle-first';
import { refuseEarly } from './refuse-early';

/** A transfer coding that a client accepts, with its weight (RFC 9110, 10.1.4), or nothing. Clients never name `chunked`. */
const CODING = /^(?:(?:trailers|(?:x-)?gzip|(?:x-)?compress|deflate|identity) *(?:; *q=[01](?:\.\d{0,3})?)?)?$/i;
const CODINGS_MAX = 10;

type Request = Pick<IncomingMessage, 'httpVersion' | 'headers' | 'rawHeaders'>;

/**
 * Says what is ambiguous in a request. A proxy might read such a request differently from this service, and take a part
 * of it for a second request (request smuggling; RFC 9112, 3.2 and 6.1). Node accepts all of these.
 *
 * @returns a sentence for the caller; null if the request is clear
 */
export function ambiguityOf({ httpVersion, headers, rawHeaders }: Request): string | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return `HTTP/${echo(httpVersion)} is not supported: send the request as HTTP/1.1`;
  }
  const hosts = count(rawHeaders, 'host');
  if (hosts > 1) return `The header 'Host' was sent ${hosts} times: send it once`;
  if (hosts === 0 && httpVersion === '1.1') return "The header 'Host' is missing";
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    if (httpVersion === '1.0') return "HTTP/1.0 has no 'Transfer-Encoding': send the request as HTTP/1.1";
    if (String(coding).toLowerCase() !== 'chunked' || count(rawHeaders, 'transfer-encoding') > 1) {
      return `The header 'Transfer-Encoding' may say 'chunked' and nothing else: it says '${echo(String(coding))}'`;
    }
  }
  const { te } = headers;
  if (te !== undefined && !areCodings(String(te))) {
    return `The header 'TE' may list trailers, gzip, compress and deflate: it says '${echo(String(te))}'`;
  }
  return null;
}

/**
 * Refuses ambiguous requests before any other code sees them. A request that waits for `100 Continue` passes here like
 * all others: `authenticate` sends the `100 Continue` once the key is checked. Node would send it at once.
 */
export function refuseAmbiguousRequests(server: Server): void {
  handleFirst(server, (request, response, pass) => {
    const message = ambiguityOf(request);
    if (message === null) pass(request, response);
    else refuseEarly(response, 400, message);
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

function areCodings(te: string): boolean {
  const all = te.split(',', CODINGS_MAX + 1).map((coding) => trimBoth(coding, /[ \t]/));
  return all.length <= CODINGS_MAX && all.every((coding) => coding.length <= 100 && CODING.test(coding));
}

function count(rawHeaders: readonly string[], name: string): number {
  let occurrences = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] ?? '';
    if (header.length === name.length && header.toLowerCase() === name) occurrences += 1;
  }
  return occurrences;
}
