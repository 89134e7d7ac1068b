import { type PipelineReply, type PipelineRequest, routeOf } from './exchange';

/** A request that got its answer, for logs and figures. */
export interface AnsweredRequest {
  readonly correlation: string;
  readonly method: string;
  /** The route's id, null for unknown paths. */
  readonly route: string | null;
  readonly status: number;
  readonly milliseconds: number;
  /** The Content-Length of the request; 0 without one. */
  readonly received: number;
  /** The Content-Length of the answer; 0 without one. */
  readonly sent: number;
  /** Ids; null if no caller was identified. */
  readonly principal: string | null;
  readonly organization: string | null;
  /** Whether it was refused before the caller was identified. The guard logs such requests together. */
  readonly unknownCaller: boolean;
}

export function answeredOf(request: PipelineRequest, reply: PipelineReply): AnsweredRequest {
  const { assurance } = request;
  return {
    correlation: assurance?.correlation ?? 'unknown',
    method: request.method,
    route: routeOf(request)?.id ?? null,
    status: reply.statusCode,
    milliseconds: reply.elapsedTime,
    received: bytes(request.headers['content-length']),
    sent: bytes(reply.getHeader('content-length')),
    principal: assurance?.identity?.principal.id ?? null,
    organization: assurance?.identity?.org.id ?? null,
    unknownCaller: assurance?.unknownCaller ?? false,
  };
}

function bytes(header: string | number | string[] | undefined): number {
  const number = Number(header);
  return Number.isFinite(number) ? number : 0;
}
