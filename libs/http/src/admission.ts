import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Room } from '@assurance/kernel';
import { RefusalError } from './refusals';
import type { Limits } from './tokens';

/** What a request has taken. It stays until its work is done and its connection is through with it, whichever comes last. */
interface Stay {
  bytes: number;
  answered: boolean;
  closed: boolean;
}

/** Bounds what is under way at once, in requests and in bytes of bodies: whoever comes on top is told to come again, before a body is read. */
export class Admission {
  private readonly requests: Room;
  private readonly bytes: Room;
  private readonly stays = new WeakMap<FastifyRequest, Stay>();

  constructor(private readonly limits: Limits) {
    this.requests = new Room(limits.requestsAtOnce);
    this.bytes = new Room(limits.bodyBytesAtOnce);
  }

  /** @throws RefusalError `too-busy` */
  enter(request: FastifyRequest, reply: FastifyReply): void {
    if (!this.requests.take(1)) throw new RefusalError({ kind: 'too-busy' });
    const stay: Stay = { bytes: 0, answered: false, closed: false };
    this.stays.set(request, stay);
    reply.raw.once('close', () => {
      stay.closed = true;
      this.leave(stay);
    });
  }

  /**
   * Makes room for a body by the length that it says it has. One that does not say it is counted while it is read; a form of that kind
   * counts as the largest, and so does one with attachments that says it is larger.
   *
   * @param streams attachments are stored while they come: the body may be larger than others
   * @throws RefusalError `too-busy`
   */
  expect(request: FastifyRequest, streams: boolean): void {
    const { bodyBytes } = this.limits;
    const length = Number(request.headers['content-length'] ?? 0);
    const bytes = length === 0 && isUnmeasured(request) && isForm(request) ? bodyBytes : length;
    // What is too large is refused without being read.
    if (bytes <= bodyBytes || streams) this.take(request, Math.min(bytes, bodyBytes));
  }

  /** The body, counted while it is read where its length is not known. */
  counted(request: FastifyRequest, body: Readable): Readable {
    return isUnmeasured(request) && !isForm(request) ? Readable.from(this.pieces(request, body)) : body;
  }

  /** To be told when the answer is made. */
  answered(request: FastifyRequest): void {
    const stay = this.stays.get(request);
    if (stay === undefined || stay.answered) return;
    stay.answered = true;
    this.leave(stay);
  }

  private async *pieces(request: FastifyRequest, body: Readable): AsyncGenerator<Buffer> {
    // Destroying the body would take the connection with it, and the answer.
    for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      try {
        this.take(request, piece.length);
      } catch (refusal) {
        // What still comes is let go, so that the client comes to read the answer.
        body.resume();
        throw refusal;
      }
      yield piece;
    }
  }

  private take(request: FastifyRequest, bytes: number): void {
    const stay = this.stays.get(request);
    if (stay === undefined) return;
    if (!this.bytes.take(bytes)) throw new RefusalError({ kind: 'too-busy' });
    stay.bytes += bytes;
  }

  private leave({ answered, closed, bytes }: Stay): void {
    if (!answered || !closed) return;
    this.requests.leave(1);
    this.bytes.leave(bytes);
  }
}

function isUnmeasured({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined;
}

function isForm({ headers }: FastifyRequest): boolean {
  return /^multipart\//i.test(headers['content-type'] ?? '');
}
