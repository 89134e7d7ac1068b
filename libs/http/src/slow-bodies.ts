import type { PipelineReply, PipelineRequest } from './exchange';
import { RAW_JSON_HEADERS } from './json-headers';
import type { RefusalAnswer } from './transport-refusals';

type IncomingRequest = Pick<PipelineRequest, 'raw'>;
type OutgoingReply = Pick<PipelineReply, 'raw' | 'getHeader'>;

/** How long a body may arrive at any speed before its speed is checked (milliseconds). */
const GRACE_MS = 10_000;
/** The lowest accepted average speed since the beginning, checked after `GRACE_MS`. */
const LEAST_BYTES_PER_SECOND = 1_024;
const LOOK_MS = 1_000;

interface BodyTransfer {
  readonly reply: OutgoingReply;
  /** When its speed began to be measured, and how many bytes its connection had carried then. */
  since: number;
  bytes: number;
  readonly gaveUp: () => void;
}

/** Ends requests if their bodies arrive more slowly than a minimum speed, because they occupy a connection and a share of the limits. */
export class SlowBodies {
  private readonly transfers = new Map<IncomingRequest, BodyTransfer>();
  private timer: NodeJS.Timeout | null = null;

  /** @param answer sent to a client that is too slow */
  constructor(
    private readonly answer: RefusalAnswer,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param gaveUp is called if the request is ended */
  watch(request: IncomingRequest, reply: OutgoingReply, gaveUp: () => void): void {
    if (request.raw.complete) return;
    this.transfers.set(request, { reply, since: this.now(), bytes: request.raw.socket.bytesRead, gaveUp });
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    this.transfers.clear();
  }

  private look(): void {
    const now = this.now();
    for (const [request, coming] of this.transfers) {
      const { raw } = request;
      if (raw.complete || raw.destroyed) {
        this.transfers.delete(request);
      } else if (raw.readableLength > 0) {
        // This process does not read at present, so the client cannot send.
        coming.since = now;
        coming.bytes = raw.socket.bytesRead;
      } else if (isSlow(now - coming.since, raw.socket.bytesRead - coming.bytes)) {
        this.transfers.delete(request);
        this.end(coming);
      }
    }
    if (this.transfers.size === 0) this.stop();
  }

  /** Answers without Fastify, because Fastify waits for the body. */
  private end({ reply, gaveUp }: BodyTransfer): void {
    gaveUp();
    const { status, body, headers } = this.answer;
    const { raw } = reply;
    if (raw.headersSent) {
      raw.destroy();
      return;
    }
    const id = reply.getHeader('x-request-id');
    raw.writeHead(status, {
      ...RAW_JSON_HEADERS,
      ...(id === undefined ? {} : { 'x-request-id': id }),
      ...headers,
    });
    raw.end(JSON.stringify(body), () => raw.socket?.destroySoon());
  }
}

function isSlow(milliseconds: number, bytes: number): boolean {
  return milliseconds > GRACE_MS && bytes < (LEAST_BYTES_PER_SECOND * milliseconds) / 1_000;
}
