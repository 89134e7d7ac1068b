import type { IncomingMessage, Server } from 'node:http';
import { echo } from '@assurance/kernel';
import { handleFirst } from './handle-first';
import { refuseEarly } from './refuse-early';

const KIB = 1024;

/**
 * How long the parts of a request may be, in bytes where nothing else is said. Readers of these parts, also those of packages, may take time that
 * grows faster than the length, so the bounds hold before any of them runs.
 */
export const REQUEST_BOUNDS = {
  /** Path and query. */
  target: 8 * KIB,
  /** Name and value of one header, all its occurrences together. */
  header: 8 * KIB,
  cookies: 16 * KIB,
  /** Names and values of all headers. */
  headers: 32 * KIB,
  /** How many headers. Node passes 1,000; of more than that, it refuses the request or leaves out the rest. */
  fields: 999,
} as const;

/** How much a gateway adds to the headers of a caller: the identity and the address of the service. */
const GATEWAY_BYTES = 4 * KIB;

/** Node ends a connection that sends more than this. It is more than all bounds together, so that callers get our own answer. */
export const PARSER_BYTES = 48 * KIB;

type Request = Pick<IncomingMessage, 'url' | 'rawHeaders'>;

/** The part of a request that is too long, as the caller is told. */
interface LongPart {
  readonly status: 414 | 431;
  readonly message: string;
}

/**
 * Finds a part of a request that is longer than it may be.
 *
 * @param added how many bytes all headers may have in addition
 * @returns null if all parts are within `REQUEST_BOUNDS`
 */
export function longPartOf({ url = '', rawHeaders }: Request, added = 0): LongPart | null {
  const { target, header, headers, fields } = REQUEST_BOUNDS;
  if (url.length > target) {
    const message = `The address has ${url.length} bytes, more than the limit of ${target} bytes. Send shorter values in its query, or fewer`;
    return { status: 414, message };
  }
  if (rawHeaders.length > 2 * fields) return longHeaders(`There are more than ${fields} headers. Send fewer`);
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length, 0);
  // Most requests end here.
  if (bytes <= header) return null;
  if (bytes > headers + added) {
    return longHeaders(
      `The headers have ${bytes} bytes, more than the limit of ${headers} bytes. Send fewer or shorter headers`,
    );
  }
  for (const [name, length] of lengthsOf(rawHeaders)) {
    const limit = name === 'cookie' ? REQUEST_BOUNDS.cookies : header;
    if (length > limit) {
      return longHeaders(
        `The header '${echo(name)}' has ${length} bytes, more than the limit of ${limit} bytes. Send a shorter one`,
      );
    }
  }
  return null;
}

/**
 * Refuses requests with parts that are too long before any other code reads these parts.
 *
 * @param vouched whether gateways send the requests, which add headers of their own
 */
export function boundRequests(server: Server, vouched = false): void {
  handleFirst(server, (request, response, pass) => {
    const part = longPartOf(request, vouched ? GATEWAY_BYTES : 0);
    if (part === null) pass(request, response);
    else refuseEarly(response, part.status, part.message);
  });
}

function longHeaders(message: string): LongPart {
  return { status: 431, message };
}

/** The bytes of each header by its name in lower case, repeated headers together. */
function lengthsOf(rawHeaders: readonly string[]): Map<string, number> {
  const lengths = new Map<string, number>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    lengths.set(name, (lengths.get(name) ?? 0) + name.length + (rawHeaders[i + 1] ?? '').length);
  }
  return lengths;
}
