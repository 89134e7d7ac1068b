import { NO_ORGANIZATION } from '@assurance/contracts/events/streams';
import type { Method } from '@assurance/contracts/http/route';
import { CLOCK, type Clock } from '@assurance/event-sourcing/tokens';
import { err, ok } from '@assurance/kernel';
import type { Identify } from '../identify';
import { SECRET_BOX, type SecretBox } from '../secret-box';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';

/** The context that a proof is sealed for. Sealed texts of other contexts do not open as proofs. */
const CONTEXT = 'gateway-request';
/** How long a proof is valid (milliseconds). A process sends it to itself. */
const VALID_MS = 30_000;

/** A request of a gateway to itself. */
export interface InternalRequest {
  readonly method: Method;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The IP address of the gateway's caller. */
  readonly address: string;
  /** Sent as a form if it is one, otherwise as JSON. */
  readonly body?: object;
}

export interface InternalAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sends requests of a gateway to its own routes. They pass the same checks as requests of callers. */
@Injectable()
export class InternalRequests {
  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(SECRET_BOX) private readonly box: SecretBox,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async send({ method, url, headers, address, body }: InternalRequest): Promise<InternalAnswer> {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const { statusCode, payload } = await fastify.inject({
      method,
      url,
      headers,
      remoteAddress: address,
      ...(body === undefined ? {} : { payload: body }),
    });
    return { status: statusCode, body: payload };
  }

  /** The header of a request that only a gateway may make. */
  proof(): { readonly authorization: string } {
    return { authorization: `Bearer ${this.box.seal(String(this.clock.now()), CONTEXT)}` };
  }
}

/** The guard of routes that only gateways may call. */
export async function identifyGateway(
  authorization: readonly string[],
  box: Pick<SecretBox, 'open'>,
  clock: Pick<Clock, 'now'>,
): ReturnType<Identify> {
  const [input = '', ...more] = authorization;
  const at = more.length > 0 ? NaN : openedAt(input.replace(/^Bearer /, ''), box);
  if (!(Math.abs(clock.now() - at) <= VALID_MS)) return Promise.resolve(err('unauthenticated'));
  const principal = { id: 'gateway', kind: 'gateway', name: 'gateway', role: 'admin' } as const;
  return Promise.resolve(ok({ org: { id: NO_ORGANIZATION, name: NO_ORGANIZATION }, principal }));
}

function openedAt(sealed: string, box: Pick<SecretBox, 'open'>): number {
  try {
    return Number(box.open(sealed, CONTEXT));
  } catch {
    return NaN;
  }
}
