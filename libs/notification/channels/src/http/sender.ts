import { beginningOf } from '@assurance/kernel';
import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import type { Sent } from '../channel';
import type { AddressRule } from './addresses';
import { hide } from './hide';

/** How long a try may take on all (milliseconds). */
const TRY_MS = 10_000;
/** How much of an answer is read. */
const ANSWER_BYTES = 4_096;
const SHOWN = 200;

/** All addresses of a name, as `dns.lookup` gives them with `all`. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The target's address is not one that may be connected to. */
class AddressForbidden extends Error {
  override readonly name = 'AddressForbidden';
}

/** The answer of a target: its first bytes. */
export interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/**
 * Sends over HTTP to addresses that users chose. It resolves a name once and connects to the address that it checked, so that a changed
 * name cannot lead to another address. It does not follow redirects, and limits time and answer.
 */
export class Sender {
  private agent: Promise<Dispatcher> | null = null;

  constructor(
    private readonly allowed: AddressRule,
    private readonly resolve: Resolve = systemLookup,
    private readonly tryMs = TRY_MS,
  ) {}

  /** @returns the answer, or the reason why there is none; neither repeats the URL or a token */
  async post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<Answered | Sent> {
    const secrets = [url, ...(headers['authorization']?.split(' ').slice(1) ?? [])];
    try {
      const { origin, pathname, search, hostname } = new URL(url);
      // No name is looked up for an address.
      const literal = hostname.replace(/^\[|\]$/g, '');
      if (isIP(literal) !== 0 && !this.allowed(literal)) throw forbidden(literal);
      const agent = await (this.agent ??= this.open());
      const answer = await agent.request({
        ...{ origin, path: pathname + search, method: 'POST', body },
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'deployment-assurance',
          ...headers,
        },
        signal: AbortSignal.timeout(this.tryMs),
      });
      const retryAfter = answer.headers['retry-after'];
      return {
        status: answer.statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
        text: hide(await beginning(answer.body), secrets),
      };
    } catch (error) {
      const cause = causeOf(error);
      const detail = beginningOf(hide(whyNot(cause, this.tryMs), secrets), SHOWN);
      return cause instanceof AddressForbidden
        ? { delivered: false, detail, final: true }
        : { delivered: false, detail };
    }
  }

  async close(): Promise<void> {
    await (await this.agent)?.destroy();
  }

  private async open(): Promise<Dispatcher> {
    // Only here: it takes 8 MB, which a process that sends nothing need not spend.
    const { Agent } = await import('undici');
    return new Agent({
      connect: { lookup: guarded(this.allowed, this.resolve), timeout: this.tryMs },
      headersTimeout: this.tryMs,
      bodyTimeout: this.tryMs,
      maxHeaderSize: 16_384,
      keepAliveTimeout: 5_000,
      pipelining: 1,
    });
  }
}

/** How a try ended, by the status that was answered. */
export function sentOf({ status, retryAfter, text }: Answered): Sent {
  const said = text.trim() === '' ? '' : `: ${beginningOf(text.trim(), SHOWN)}`;
  if (status >= 200 && status < 300) return { delivered: true, detail: `answered ${status}` };
  if (status >= 300 && status < 400) {
    return { delivered: false, detail: `answered ${status}: redirects are not followed`, final: true };
  }
  const failed = { delivered: false, detail: `answered ${status}${said}` } as const;
  if (status === 410) return { ...failed, final: true };
  return retryAfter === null ? failed : { ...failed, retryAfter };
}

function guarded(allowed: AddressRule, resolve: Resolve): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true } as LookupAllOptions, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return done(error ?? new Error(`${host} has no address`), '', 4);
      const bad = addresses.find(({ address }) => !allowed(address));
      if (bad !== undefined) return done(forbidden(bad.address), '', 4);
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

function forbidden(address: string): AddressForbidden {
  return new AddressForbidden(`the address ${address} is not public, and not in ASSURANCE_TARGET_NETWORKS`);
}

/** The cause of an error that only says that connecting failed. */
function causeOf(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  return error instanceof Error && error.cause !== undefined && !('code' in error) ? causeOf(error.cause) : error;
}

function whyNot(error: unknown, tryMs: number): string {
  if (!(error instanceof Error)) return 'it could not be reached';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `it took longer than ${tryMs} ms`;
  return error.message;
}

/** The first bytes of a body; the rest is not waited for. */
async function beginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= ANSWER_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, ANSWER_BYTES).toString('utf8');
}
