import { Controller, Headers, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { routes } from '@assurance/contracts/http/routes/routes';
import { type Answer, answer, type Call, RequestCall, Route } from '@assurance/http';
import { Followers } from './followers';

const HEADERS = {
  'content-type': 'text/event-stream',
  // A proxy that buffers answers would hold back the whole stream.
  'x-accel-buffering': 'no',
};

/** Sends changes to open pages. */
@Controller()
export class ChangesController {
  constructor(private readonly followers: Followers) {}

  @Route(routes.followChanges)
  async follow(
    @RequestCall() call: Call,
    @Req() { method, raw }: FastifyRequest,
    @Headers('last-event-id') last: string | undefined,
  ): Promise<Answer> {
    if (method === 'HEAD') return answer(200, Buffer.alloc(0), HEADERS);
    const lastRevision = /^[0-9]{1,15}$/.test(last ?? '') ? Number(last) : null;
    const { stream } = await this.followers.follow(call, lastRevision);
    // The server allows half-open connections. Here, a client that closes its side has left.
    const leave = () => void raw.socket.destroy();
    raw.socket.once('end', leave);
    stream.once('close', () => raw.socket.off('end', leave));
    return answer(200, stream, HEADERS);
  }
}
