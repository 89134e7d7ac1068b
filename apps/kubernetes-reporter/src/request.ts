import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { text } from 'node:stream/consumers';

const SILENCE_MS = 30_000;

/** An answer of a server. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Seconds after which to come again; null where it says none. */
  readonly retryAfter: number | null;
}

/** A request to a server. */
export interface Asked {
  readonly method: 'GET' | 'PUT';
  readonly url: URL;
  readonly token: string;
  readonly body?: string;
  /** Certificates that the server's is checked against; the system's unless given. */
  readonly ca?: string;
}

/** @throws faults of the connection */
export async function ask({ method, url, token, body, ca }: Asked): Promise<Answer> {
  const request = url.protocol === 'https:' ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const call = request(url, { method, headers, ca, timeout: SILENCE_MS }, (response) => {
      const after = Number(response.headers['retry-after']);
      const retryAfter = Number.isFinite(after) ? after : null;
      text(response).then((said) => resolve({ status: response.statusCode ?? 0, text: said, retryAfter }), reject);
    });
    call.once('timeout', () => call.destroy(new Error(`${url.host} kept silent for ${SILENCE_MS / 1_000} s`)));
    call.once('error', reject);
    call.end(body);
  });
}
