import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Route } from '@assurance/contracts/http/route';
import type { CallCarrier } from './call';

/** The parts of a request that the pipeline reads. Requests of Fastify and direct requests have them. */
export interface PipelineRequest extends CallCarrier {
  readonly raw: IncomingMessage;
  readonly headers: IncomingHttpHeaders;
  readonly socket: Socket;
  /** The caller's address: the address of the connection, or the address that a trusted proxy states. */
  readonly ip: string;
  readonly method: string;
  readonly url: string;
  /** Parameters of the path, decoded once. */
  readonly params: unknown;
  readonly query: unknown;
  readonly routeOptions: { readonly config: unknown; readonly url?: string | undefined };
}

export type HeaderValue = string | number | string[];

/** The parts of a reply that the pipeline uses. Replies of Fastify and replies to direct requests have them. */
export interface PipelineReply {
  readonly raw: ServerResponse;
  readonly statusCode: number;
  /** Whether an answer was given. */
  readonly sent: boolean;
  /** Milliseconds since the request came. */
  readonly elapsedTime: number;
  code(status: number): unknown;
  header(name: string, value: string | number): unknown;
  headers(values: Readonly<Record<string, HeaderValue>>): unknown;
  getHeader(name: string): HeaderValue | undefined;
  send(content: string | Buffer): unknown;
}

type RoutedRequest = Pick<PipelineRequest, 'routeOptions'>;

/** The route of the route table that a request matched; null for unknown paths. */
export function routeOf({ routeOptions }: RoutedRequest): Route | null {
  return (routeOptions.config as { contract?: Route }).contract ?? null;
}
