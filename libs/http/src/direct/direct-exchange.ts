import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Route } from '@assurance/contracts/http/route';
import type { CallCarrier } from '../call';
import type { HeaderValue, PipelineReply, PipelineRequest } from '../exchange';
import { writeSoon } from './answer-queue';

/** A request that is served without Fastify. */
export class DirectRequest implements PipelineRequest {
  assurance?: CallCarrier['assurance'];
  readonly query = {};
  readonly routeOptions: PipelineRequest['routeOptions'];

  /** @param addressOf returns the caller's address */
  constructor(
    readonly raw: IncomingMessage,
    contract: Route,
    readonly params: Readonly<Record<string, string>>,
    private readonly addressOf: (raw: IncomingMessage) => string,
  ) {
    this.routeOptions = { config: { contract }, url: contract.path };
  }

  /** The unread body. */
  get body() {
    return this.raw;
  }
  get headers() {
    return this.raw.headers;
  }
  get socket() {
    return this.raw.socket;
  }
  get ip(): string {
    return this.addressOf(this.raw);
  }
  get method(): string {
    return this.raw.method ?? '';
  }
  get url(): string {
    return this.raw.url ?? '';
  }
}

/** The reply to a direct request. */
export class DirectReply implements PipelineReply {
  statusCode = 200;
  sent = false;
  private readonly startTime = performance.now();
  private readonly values: Record<string, HeaderValue> = {};

  /**
   * @param beforeSend is called when the answer is made, and may still set headers
   * @param onFault is called if the answer cannot be written
   */
  constructor(
    readonly raw: ServerResponse,
    private readonly beforeSend: (reply: DirectReply) => void,
    private readonly onFault: (fault: unknown) => void,
  ) {}

  get elapsedTime(): number {
    return performance.now() - this.startTime;
  }

  code(status: number): this {
    this.statusCode = status;
    return this;
  }

  header(name: string, value: HeaderValue): this {
    this.values[name] = value;
    return this;
  }

  headers(values: Readonly<Record<string, HeaderValue>>): this {
    Object.assign(this.values, values);
    return this;
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.values[name];
  }

  /** @returns a promise only for a stream: it is read completely first, because answers of direct routes are short */
  send(content: string | Buffer | Readable): unknown {
    if (content instanceof Readable) return buffer(content).then((bytes) => this.send(bytes));
    this.sent = true;
    this.beforeSend(this);
    this.values['content-length'] = Buffer.byteLength(content);
    writeSoon(() => this.write(content));
    return undefined;
  }

  private write(content: string | Buffer): void {
    // A client that sent its body too slowly has its answer already.
    if (this.raw.headersSent) return;
    try {
      this.raw.writeHead(this.statusCode, this.values).end(content);
    } catch (fault) {
      this.onFault(fault);
    }
  }
}
