import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { getCACertificates } from 'node:tls';

const SILENCE_MS = 30_000;
/** How many requests are under way to one address. Others wait. */
const MOST_REQUESTS = 64;

/** How connections leave the machine: with or without a proxy, and which certificate authorities they trust. */
export interface Network {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

export interface NetworkSettings {
  /** URL of an HTTP proxy; null: the variables `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` decide. */
  readonly proxy: string | null;
  /** PEM file of additional certificate authorities, besides those of Node. */
  readonly caFile: string | null;
}

type Env = Readonly<Record<string, string | undefined>>;

export function networkOf({ proxy, caFile }: NetworkSettings, env: Env): Network {
  const noProxy = env['NO_PROXY'] ?? env['no_proxy'];
  const proxyVariables = proxy === null ? {} : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  const proxyEnv = { ...env, ...proxyVariables, ...(noProxy === undefined ? {} : { NO_PROXY: noProxy }) };
  const ca = caFile === null ? undefined : [...getCACertificates('default'), readFileSync(caFile, 'utf8')];
  return {
    httpAgent: new HttpAgent({ keepAlive: true, maxSockets: MOST_REQUESTS, proxyEnv }),
    httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: MOST_REQUESTS, proxyEnv, ca }),
  };
}

/** A network without a proxy, for addresses inside the cluster or the machine. */
export function directNetwork(ca?: string): Network {
  return { httpAgent: new HttpAgent({ keepAlive: true }), httpsAgent: new HttpsAgent({ keepAlive: true, ca }) };
}

export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly network: Network;
  /** Path of a Unix socket that replaces the URL's host. */
  readonly socketPath?: string;
  /** After this time without data (milliseconds), the request fails. */
  readonly timeoutMs?: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
}

/** @throws faults of the connection, also where the answer ends early; an answer with an error status is returned */
export async function sendRequest(request: HttpRequest, signal?: AbortSignal): Promise<HttpAnswer> {
  const response = await open(request, signal);
  return { status: response.statusCode ?? 0, text: await text(response), headers: response.headers };
}

/** Sends a request and returns when the answer begins. The stream has the body. */
export async function open(request: HttpRequest, signal?: AbortSignal): Promise<IncomingMessage> {
  const { method, url, headers, body, network, socketPath, timeoutMs = SILENCE_MS } = request;
  const secure = url.protocol === 'https:';
  const agent = secure ? network.httpsAgent : network.httpAgent;
  const where = socketPath === undefined ? { agent } : { socketPath };
  return new Promise((resolve, reject) => {
    const call = (secure ? overHttps : overHttp)(
      url,
      { method, headers, timeout: timeoutMs, signal, ...where },
      resolve,
    );
    call.once('timeout', () => call.destroy(new Error(`${url.host} kept silent for ${timeoutMs / 1_000} s`)));
    call.on('error', reject);
    call.end(body);
  });
}

/**
 * The JSON of a successful answer.
 *
 * @throws with one sentence for every other status: a list with a missing page must not be reported
 */
export async function askJson<T>(request: HttpRequest): Promise<T> {
  const answer = await sendRequest(request);
  if (answer.status === 200) return JSON.parse(answer.text) as T;
  const { host, pathname } = request.url;
  throw new Error(`${host} answers ${answer.status} to ${pathname}: ${messageOf(answer.text)}`);
}

/** When a service that is busy may be asked again (milliseconds); null if it does not say. */
export function retryAfterMs(headers: HttpAnswer['headers']): number | null {
  const seconds = Number(headers['retry-after'] ?? NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : null;
}

/** The message of an error answer; otherwise the beginning of its text. */
export function messageOf(body: string): string {
  try {
    const { message, error } = JSON.parse(body) as { message?: unknown; error?: { message?: unknown } };
    const detail = message ?? error?.message;
    if (typeof detail === 'string') return detail;
  } catch {
    // The body is not JSON, so its beginning is returned.
  }
  return body.slice(0, 200);
}
