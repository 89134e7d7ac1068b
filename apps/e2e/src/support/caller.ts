import type { ErrorBody } from '@assurance/contracts/http/answers/common';
import { type Answer, Contract } from './contract';
import { ORG } from './declared';
import { EVENTS, exchange, type RawAnswer } from './exchange';

/** The parts of a request other than method and path. */
export interface RequestParts {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** The body, sent unchanged. Its content type is JSON unless `headers` has another. */
  readonly text?: string | Uint8Array;
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

const PATH_OF_ORG = new RegExp(`^((?:/api/v2)?/[^/?]+/)${ORG}(?=[/?]|$)`);

/**
 * For how long a read that says that its list lags is asked for again, as clients do: ten services, MongoDB and Kafka share two cores with other tests
 * (milliseconds).
 */
const LAG_MS = 20_000;

function lags({ headers }: RawAnswer): boolean {
  return headers['x-assurance-behind'] !== undefined;
}

/** A client of a running service. It checks every answer against the OpenAPI document of the service. */
export class Caller {
  constructor(
    readonly url: string,
    readonly contract: Contract,
    /** The value of the Authorization header, null for none. */
    private readonly authorization: string | null,
    /** Where the next request goes, where there are several gateways. */
    private readonly next: () => string = () => url,
    /** The organization that this client calls `acme`: paths and answers are translated. */
    private readonly org = ORG,
  ) {}

  /** Another client of the same service, with this key. */
  withKey(key: string): Caller {
    return new Caller(this.url, this.contract, `Bearer ${key}`, this.next, this.org);
  }

  /**
   * Sends a request and reads its answer, whatever its status.
   *
   * @param path below `/api/v2`, with its query
   */
  async send(
    method: string,
    path: string,
    { json, text: sent, form, headers, signal }: RequestParts = {},
  ): Promise<Answer> {
    const all: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers ?? {})) all[name.toLowerCase()] = value;
    if (this.authorization !== null) all['authorization'] = this.authorization;
    let body = json === undefined ? sent : JSON.stringify(json);
    if (form !== undefined) {
      const encoded = new Response(form);
      all['content-type'] = encoded.headers.get('content-type') ?? '';
      body = await encoded.bytes();
    } else if (body !== undefined) {
      all['content-type'] ??= 'application/json; charset=utf-8';
    }
    const url = this.addressOf(path);
    const ask = () => exchange(url, { method, headers: all, body, signal });
    let exchanged = await ask();
    // Only a read reports that it lags behind.
    for (const end = Date.now() + LAG_MS; lags(exchanged) && Date.now() < end;) {
      exchanged = await ask();
    }
    return this.held(method, url, exchanged);
  }

  /**
   * The same with the path exactly as given, which is tidied up otherwise, and the headers as a flat list, in which names may repeat.
   *
   * @param path with its query, `/api/v2` included
   */
  async sendRaw(method: string, path: string, headers?: readonly string[]): Promise<Answer> {
    const own = this.authorization === null ? [] : ['authorization', this.authorization];
    const url = this.next();
    const { host } = new URL(url);
    const answer = await exchange(url, {
      method,
      path: this.named(path),
      headers: ['host', host, ...(headers ?? own)],
    });
    return this.held(method, url + path, answer);
  }

  /** The body of an answer that must have this status. */
  async expect<T>(status: number, method: string, path: string, sent?: RequestParts): Promise<T> {
    const answer = await this.send(method, path, sent);
    if (answer.status !== status) {
      throw new Error(`${method} ${path} → ${answer.status} in the place of ${status}: ${answer.text.slice(0, 2_000)}`);
    }
    return answer.body as T;
  }

  get<T>(path: string): Promise<T> {
    return this.expect<T>(200, 'GET', path);
  }

  /** A file, which must be there. */
  async bytes(path: string): Promise<{ readonly type: string | null; readonly content: Buffer }> {
    const own = this.authorization === null ? {} : { authorization: this.authorization };
    const { status, headers, content } = await exchange(this.addressOf(path), { headers: own });
    if (status !== 200) throw new Error(`GET ${path} → ${status}: ${content.toString().slice(0, 2_000)}`);
    return { type: headers['content-type'] ?? null, content };
  }

  /** A continuing answer, which is not read. */
  open(path: string, headers: Readonly<Record<string, string>> = {}, signal?: AbortSignal): Promise<Response> {
    const own = this.authorization === null ? {} : { authorization: this.authorization };
    return fetch(this.addressOf(path), { headers: { ...own, ...headers }, signal: signal ?? null });
  }

  /** The error of a call that must be refused with this status. */
  refused(status: number, method: string, path: string, sent?: RequestParts): Promise<ErrorBody> {
    return this.expect<ErrorBody>(status, method, path, sent);
  }

  private held(method: string, url: string, exchanged: RawAnswer): Answer {
    const answer = this.read(exchanged);
    this.contract.check(method, new URL(url).pathname, answer);
    return answer;
  }

  private addressOf(path: string): string {
    return `${this.next()}/api/v2${this.named(path)}`;
  }

  /** The path with the organization's own name. The organization is the second segment of every path that has one. */
  private named(path: string): string {
    return this.org === ORG ? path : path.replace(PATH_OF_ORG, `$1${this.org}`);
  }

  private read({ status, headers: received, content }: RawAnswer): Answer {
    const renamed = (input: string) => input.replaceAll(this.org, ORG);
    const headers = new Headers();
    for (const [name, values = []] of Object.entries(received)) {
      for (const value of [values].flat()) headers.append(name, renamed(value));
    }
    const text = renamed(content.toString());
    const type = headers.get('content-type');
    const plain = type === EVENTS || ['text/plain', 'text/csv'].some((own) => type?.startsWith(own));
    return { status, headers, text, body: plain ? text : parseJson(text) };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`an answer is not JSON: ${text.slice(0, 500)}`);
  }
}
