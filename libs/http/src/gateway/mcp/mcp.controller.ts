import { setImmediate } from 'node:timers/promises';
import { Controller, Delete, Get, Inject, Req } from '@nestjs/common';
import { mcp } from '@assurance/contracts/http/mcp';
import { type Settings, SETTINGS } from '@assurance/event-sourcing/tokens';
import { KeyedLimiter } from '@assurance/kernel';
import type { FastifyRequest } from 'fastify';
import { type Answer, answer } from '../../answer';
import { type CallOf, RequestCall } from '../../call';
import { RefusalError } from '../../refusals';
import { Route } from '../../route.decorator';
import { InternalRequests } from '../own-requests';
import type { ApiRequest } from './tool-request';
import { mcpServer } from './server';

/** How many requests of one caller may wait. */
const WAITING_MAX = 20;

/**
 * Serves the Model Context Protocol over streamable HTTP. Requests are independent of each other, so any gateway can
 * answer one. A request needs an API key, and its calls of the API use the same key. A request takes some milliseconds
 * of the main thread, so the requests of one caller run one after the other, with other requests between them.
 */
@Controller()
export class McpController {
  private readonly limiter = new KeyedLimiter();

  constructor(
    private readonly internalRequests: InternalRequests,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Route(mcp)
  async ask(@RequestCall() call: CallOf<typeof mcp>, @Req() request: FastifyRequest): Promise<Answer> {
    const caller = call.principal.id;
    if (this.limiter.countWaiting(caller) >= WAITING_MAX) {
      throw new RefusalError({ kind: 'share-taken', whose: 'caller', of: 'requests', limit: WAITING_MAX });
    }
    return this.limiter.run(caller, async () => {
      await setImmediate();
      return this.answerTo(call, request);
    });
  }

  private async answerTo(call: CallOf<typeof mcp>, request: FastifyRequest): Promise<Answer> {
    const { authorization, origin, accept = '', 'mcp-protocol-version': version } = request.headers;
    // Sessions are for pages only. Pages of another origin are refused, even with a key.
    const foreign = origin !== undefined && origin !== new URL(this.settings.publicUrl).origin;
    if (authorization === undefined || call.session !== undefined || foreign)
      throw new RefusalError({ kind: 'forbidden' });
    const ask = ({ method, url, body }: ApiRequest) =>
      this.internalRequests.send({
        method,
        url,
        address: request.ip,
        ...(body === undefined ? {} : { body }),
        headers: { authorization, 'x-request-id': call.correlation },
      });
    const server = await mcpServer(ask, this.settings.assistantsWrite, this.settings.publicUrl);
    const { WebStandardStreamableHTTPServerTransport } =
      await import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js');
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await server.connect(transport);
      const headers = new Headers({ accept, 'content-type': 'application/json' });
      if (typeof version === 'string') headers.set('mcp-protocol-version', version);
      const toolRequest = new Request(`${this.settings.publicUrl}${mcp.path}`, { method: 'POST', headers });
      const response = await transport.handleRequest(toolRequest, { parsedBody: call.body });
      const type = response.headers.get('content-type');
      return answer(
        response.status,
        Buffer.from(await response.arrayBuffer()),
        type === null ? {} : { 'content-type': type },
      );
    } finally {
      await server.close();
    }
  }

  /** There are no sessions and no messages without a request. */
  @Get(mcp.path)
  listen(@Req() { method }: FastifyRequest): never {
    throw new RefusalError({ kind: 'method-unknown', method, allowed: [mcp.method] });
  }

  @Delete(mcp.path)
  end(@Req() { method }: FastifyRequest): never {
    throw new RefusalError({ kind: 'method-unknown', method, allowed: [mcp.method] });
  }
}
