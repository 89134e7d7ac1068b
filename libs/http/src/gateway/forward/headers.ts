import type { IncomingHttpHeaders } from 'node:http';
import { IDENTITY_HEADER } from '../../signed-identity';

/** Headers that apply to one connection only (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Headers of the caller that are not forwarded: the key, identity headers, which only a gateway sets, and `expect`, which the gateway answers. */
const NOT_FORWARDED = [...HOP_BY_HOP, 'authorization', 'cookie', 'expect', 'host', IDENTITY_HEADER];

type Headers = Record<string, string | string[]>;

/** A caller's headers as the service that answers sees them. */
export function forwardedHeaders(headers: IncomingHttpHeaders): Headers {
  return omitHeaders(headers, NOT_FORWARDED);
}

/** A service's headers as the caller sees them. */
export function returnedHeaders(headers: IncomingHttpHeaders): Headers {
  return omitHeaders(headers, HOP_BY_HOP);
}

function omitHeaders(headers: IncomingHttpHeaders, names: readonly string[]): Headers {
  const hopByHop = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  const forwarded: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !names.includes(name) && !hopByHop.includes(name)) forwarded[name] = value;
  }
  return forwarded;
}
