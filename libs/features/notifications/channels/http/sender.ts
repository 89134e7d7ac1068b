import type { AddressRule } from '@assurance/http/outgoing/addresses';
import { AddressForbidden, type Resolve } from '@assurance/http/outgoing/guard';
import { causeOf, OutgoingConnections } from '@assurance/http/outgoing/outgoing';
import { beginningOf, decodePercent, type Proxies } from '@assurance/kernel';
import type { Dispatcher } from 'undici';
import type { SendResult } from '../send-result';
import { hide } from './hide-secrets';

/** How long an attempt may take (milliseconds). */
const TRY_MS = 10_000;
/** How many bytes of an answer are read. */
const ANSWER_BYTES = 4_096;
const SHOWN = 200;

/** The answer of a target: its first bytes. */
export interface TargetResponse {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/**
 * Sends over HTTP to addresses that users chose. It does not follow redirects, and limits the time and the size of the answer. It sends the user and
 * password of a URL as basic authentication.
 */
export class Sender {
  private readonly outgoing: OutgoingConnections;

  constructor(
    allowed: AddressRule,
    resolve?: Resolve,
    private readonly tryMs = TRY_MS,
    proxies?: Proxies,
  ) {
    this.outgoing = new OutgoingConnections(allowed, tryMs, resolve, proxies);
  }

  /** @returns the answer, or the reason why there is none; neither repeats the URL or a token */
  async post(
    url: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<TargetResponse | SendResult> {
    const target = new URL(url);
    const { origin, pathname, search, username, password } = target;
    const basic = basicOf(username, password);
    const proxy = this.outgoing.proxyOf(target);
    const ownSecrets =
      basic === null ? [] : [basic, username, decodePercent(username), password, decodePercent(password)];
    const secrets = [url, ...ownSecrets, ...(headers['authorization']?.split(' ').slice(1) ?? []), ...secretsOf(proxy)];
    try {
      const agent = await this.outgoing.agentFor(target);
      const answer = await agent.request({
        origin,
        path: pathname + search,
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'deployment-assurance',
          ...(basic === null ? {} : { authorization: `Basic ${basic}` }),
          ...headers,
        },
        signal: AbortSignal.timeout(this.tryMs),
      });
      const retryAfter = answer.headers['retry-after'];
      return {
        status: answer.statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
        text: hide(await readBeginning(answer.body), secrets),
      };
    } catch (error) {
      const cause = causeOf(error);
      const way = proxy === null ? '' : `through the proxy ${new URL(proxy).host}: `;
      const detail = beginningOf(hide(`${way}${failureReason(cause, this.tryMs)}`, secrets), SHOWN);
      return cause instanceof AddressForbidden
        ? { delivered: false, detail, final: true }
        : { delivered: false, detail };
    }
  }

  close(): Promise<void> {
    return this.outgoing.close();
  }
}

/** User and password in the form of the header; null if both are empty. */
function basicOf(username: string, password: string): string | null {
  if (username === '' && password === '') return null;
  return Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`).toString('base64');
}

function secretsOf(proxy: string | null): string[] {
  if (proxy === null) return [];
  const { username, password } = new URL(proxy);
  return password === '' ? [] : [basicOf(username, password) ?? '', password, decodePercent(password)];
}

/** Statuses after which the same request may succeed later, such as proxy login, timeout, conflict, locked, too early, too many. */
const TEMPORARY: ReadonlySet<number> = new Set([401, 403, 404, 407, 408, 409, 421, 423, 424, 425, 429]);
/** Statuses of receivers during a deployment or a change of keys. They end after a minute or two, or stay. */
const PASSING: ReadonlySet<number> = new Set([401, 403, 404]);
const FEW_TRIES = 8;

/** The result of an attempt, by the status of the answer. */
export function sentOf({ status, retryAfter, text }: TargetResponse): SendResult {
  const detail = text.trim() === '' ? '' : `: ${beginningOf(text.trim(), SHOWN)}`;
  if (status >= 200 && status < 300) return { delivered: true, detail: `answered ${status}` };
  if (status >= 300 && status < 400) {
    return { delivered: false, detail: `answered ${status}: redirects are not followed`, final: true };
  }
  const failure = { delivered: false, detail: `answered ${status}${detail}` } as const;
  if (status === 410) return { ...failure, final: true };
  if (PASSING.has(status) && retryAfter === null) return { ...failure, triesMax: FEW_TRIES };
  if (status >= 400 && status < 500 && !TEMPORARY.has(status)) return { ...failure, triesMax: 1 };
  return retryAfter === null ? failure : { ...failure, retryAfter };
}

function failureReason(error: unknown, tryMs: number): string {
  if (!(error instanceof Error)) return 'it could not be reached';
  // undici reports this if a proxy opened no tunnel.
  const [, answered] = /^Proxy response \((\d+)\)/.exec(error.message) ?? [];
  if (answered !== undefined) return `it answered ${answered}`;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `it took longer than ${tryMs} ms`;
  return error.message;
}

/** Reads the first bytes of a body. It does not wait for the rest. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= ANSWER_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, ANSWER_BYTES).toString('utf8');
}
