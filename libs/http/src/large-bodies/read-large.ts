import { parentPort } from 'node:worker_threads';
import { isEvidence, type Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';
import { valuesIn } from '@assurance/kernel';
import { checkedBody, parseBody, tooManyValues } from '../body';

import { type Refusal, RefusalError } from '../refusals';

/** A body that is to be read in the thread. */
export interface LargeBody {
  /** The id of its route. */
  readonly route: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly artifactsPerReport: number;
}

/** The result of reading a large body. */
export type LargeBodyResult =
  /** It cannot be parsed. This refusal comes before the refusals of all later checks. */
  | { readonly kind: 'malformed'; readonly refusal: Refusal }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The body that the route's class made of it, as JSON text. */
  | { readonly kind: 'read'; readonly text: string };

/**
 * The most JSON values in a body for each artifact that a report may have. A larger body would cost seconds and
 * hundreds of MiB to parse.
 */
const VALUES_AN_ARTIFACT = 100;
/** The most JSON values in evidence: ten times what the longest lists of findings have. */
const EVIDENCE_VALUES = 1_000_000;

const byId = new Map(Object.values<Route>(routes).map((route) => [route.id, route]));

function read({ route: id, bytes, artifactsPerReport }: LargeBody): LargeBodyResult {
  const route = byId.get(id);
  if (route?.body === undefined) throw new Error(`route ${id} takes no JSON`);
  const maxValues = isEvidence(route) ? EVIDENCE_VALUES : artifactsPerReport * VALUES_AN_ARTIFACT;
  if (valuesIn(bytes) > maxValues) return { kind: 'refused', refusal: tooManyValues(route, maxValues) };
  let json: unknown;
  try {
    json = parseBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), route, Infinity);
  } catch (error) {
    return { kind: 'malformed', refusal: refusalIn(error) };
  } finally {
    // Frees the memory now, not at a later garbage collection.
    bytes.buffer.transfer(0);
  }
  try {
    return { kind: 'read', text: JSON.stringify(checkedBody(route.body, json, artifactsPerReport)) };
  } catch (error) {
    return { kind: 'refused', refusal: refusalIn(error) };
  }
}

/** @throws unexpected errors; they end the thread */
function refusalIn(error: unknown): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  throw error;
}

const port = parentPort;
if (port === null) throw new Error('large bodies are read in a worker thread');
port.on('message', (body: LargeBody) => port.postMessage(read(body)));
