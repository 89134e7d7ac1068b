import { parentPort } from 'node:worker_threads';
import { type Route, routes } from '@assurance/contracts-http';
import { checkedBody, parseBody } from '../body';
import type { Refusal } from '../refusal';
import { RefusalError } from '../refusals';

/** A body that is to be read in the thread. */
export interface LargeBody {
  /** Of the route that takes it. */
  readonly route: string;
  readonly bytes: Uint8Array;
  readonly artifactsPerReport: number;
}

/** What became of it. */
export type LargeRead =
  /** It is no JSON: told before anything else is looked at. */
  | { readonly kind: 'malformed'; readonly refusal: Refusal }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The body as the route's class makes it, as JSON. */
  | { readonly kind: 'read'; readonly text: string };

/** The most JSON values in a body, for each artifact that a report may have: what is beyond it costs seconds and hundreds of MiB to parse. */
const VALUES_AN_ARTIFACT = 100;

const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

const byId = new Map(Object.values<Route>(routes).map((route) => [route.id, route]));

function read({ route: id, bytes, artifactsPerReport }: LargeBody): LargeRead {
  const route = byId.get(id);
  if (route?.body?.kind !== 'json') throw new Error(`route ${id} takes no JSON`);
  const most = artifactsPerReport * VALUES_AN_ARTIFACT;
  if (valuesIn(bytes) > most) {
    return { kind: 'refused', refusal: { kind: 'invalid', errors: { body: `Input holds more than ${most} values` } } };
  }
  let json: unknown;
  try {
    json = parseBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    return { kind: 'malformed', refusal: refusalIn(error) };
  }
  try {
    return { kind: 'read', text: JSON.stringify(checkedBody(route.body, json, artifactsPerReport)) };
  } catch (error) {
    return { kind: 'refused', refusal: refusalIn(error) };
  }
}

/** How many values a body of JSON has, give or take one for each list and object. */
function valuesIn(bytes: Uint8Array): number {
  let count = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === COMMA || byte === LIST || byte === OBJECT) count += 1;
  }
  return count;
}

/** @throws what is no refusal: it ends the thread */
function refusalIn(error: unknown): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  throw error;
}

const port = parentPort;
if (port === null) throw new Error('large bodies are read in a worker thread');
port.on('message', (body: LargeBody) => port.postMessage(read(body)));
