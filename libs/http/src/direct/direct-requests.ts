import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { PAGE_HEADER } from '@assurance/contracts/access/session-cookie';
import { bodyLimit } from '@assurance/contracts/http/body-limits';
import { type Admission, isForm, isSmall } from '../admission';
import type { Answer } from '../answer';
import { answeredOf } from '../answered-request';
import { authenticate } from '../authenticate';
import { checkMedia } from '../body';
import { callOf } from '../call';
import type { ErrorFilter } from '../error.filter';
import type { FairScheduler } from '../fair-scheduler';
import type { PipelineOptions } from '../pipeline-options';
import { beforeSend, prepareAnswer } from '../prepared';
import { readBytes } from '../read-bytes';
import type { ReadCall } from '../read-call';
import { DirectReply, DirectRequest } from './direct-exchange';
import { type MatchedHandler, HandlerTable } from './handler-table';
import type { Handler } from './handlers';

/** The dependencies of `DirectRequests`. */
export interface DirectOptions extends PipelineOptions {
  readonly readCall: ReadCall;
  readonly admission: Admission;
  readonly fairWork: FairScheduler;
  readonly filter: ErrorFilter;
  /** How many bytes a gateway adds to a body. */
  readonly sealBytes: number;
}

/**
 * Serves routes with many small requests without Fastify and Nest's router, because their steps cost more CPU than the request itself
 * (decision 86). A request passes the same checks in the same order, and its answer is the same. Unusual requests go to Fastify.
 */
export class DirectRequests {
  private readonly table = new HandlerTable();
  private readonly addressOf: (raw: IncomingMessage) => string;
  private stopped = false;

  constructor(private readonly options: DirectOptions) {
    const { trustedProxies = [] } = options;
    const trust = trustedProxies.length === 0 ? null : proxyAddress.compile([...trustedProxies]);
    this.addressOf = (raw) => (trust === null ? (raw.socket.remoteAddress ?? '') : proxyAddress(raw, trust));
  }

  add(handler: Handler): void {
    this.table.add(handler);
  }

  /** Serves the supported requests of a server. Its earlier listeners get all other requests. */
  attachTo(server: Server): void {
    const listeners = server.listeners('request') as ((raw: IncomingMessage, rawReply: ServerResponse) => void)[];
    server.removeAllListeners('request');
    server.on('request', (raw: IncomingMessage, rawReply: ServerResponse) => {
      const match = this.stopped ? null : this.table.find(raw.method, raw.url);
      if (match === null || !this.isSupported(raw, match)) {
        for (const listener of listeners) listener.call(server, raw, rawReply);
        return;
      }
      const onFault = (err: unknown) => {
        this.options.logger.error({ err }, 'an answer could not be sent');
        rawReply.destroy();
      };
      this.serve(match, raw, rawReply, onFault).catch(onFault);
    });
  }

  /**
   * Leaves further requests to Fastify, and closes the connection after each answer, as Fastify does while the server
   * closes.
   */
  stop(): void {
    this.stopped = true;
  }

  /** Whether a request is served directly. If its body is longer, the framework costs little compared to the rest. */
  private isSupported(request: IncomingMessage, { handler: { route } }: MatchedHandler): boolean {
    const { limits, sealBytes } = this.options;
    const { headers } = request;
    const length = Number(headers['content-length'] ?? 0);
    return (
      length > 0 &&
      length <= bodyLimit(route, limits) + sealBytes &&
      isSmall(request) &&
      !isForm(request) &&
      headers['content-encoding'] === undefined &&
      headers[PAGE_HEADER] === undefined &&
      headers['content-type'] !== ''
    );
  }

  private async serve(
    { handler, params }: MatchedHandler,
    raw: IncomingMessage,
    rawReply: ServerResponse,
    onFault: (fault: unknown) => void,
  ): Promise<void> {
    const { admission, answered, filter, readCall, secure } = this.options;
    const { route } = handler;
    const request = new DirectRequest(raw, route, params, this.addressOf);
    const prepare = (created: DirectReply) => {
      beforeSend(admission, request, created, secure);
      if (this.stopped) created.header('connection', 'close');
    };
    const reply = new DirectReply(rawReply, prepare, onFault);
    if (answered !== undefined) rawReply.once('close', () => answered(answeredOf(request, reply)));
    try {
      await authenticate(request, reply, this.options, admission);
      admission.countBody(request, reply, raw);
      if ('forward' in handler) return void (await handler.forward(request, reply));
      checkMedia(route, raw.headers['content-type']);
      const bytes = await readBytes(raw);
      request.assurance?.arrived?.();
      const existing = await readCall(request, route, bytes);
      const answer = existing ?? (await this.waitForAnswer(request, reply, handler));
      reply.send(prepareAnswer(route, answer, reply) as string);
    } catch (error) {
      filter.answer(error, request, reply);
    }
  }

  /**
   * Waits for the organization's turn, then lets the controller answer. Shortcuts do not wait, because they take less
   * time than the queue.
   */
  private async waitForAnswer(
    request: DirectRequest,
    reply: DirectReply,
    { route, answer }: Extract<Handler, { answer: unknown }>,
  ): Promise<Answer> {
    const { fairWork } = this.options;
    const turn = fairWork.turn(request, reply, route);
    if (turn !== undefined) await turn;
    return fairWork.run(request, () => answer(callOf(request)));
  }
}
