import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { BodyOf, ParamsOf, QueryFor, Route } from '@assurance/contracts/http/route';
import type { WorkSlot } from '@assurance/kernel';
import type { Identity, Principal, Session } from './identity';
import type { LargeAnswer } from './large-answers/large-answers';
import type { Upload } from './uploads';

/** A file of a form, read whole. */
export interface CallFile {
  readonly filename: string;
  readonly content: Uint8Array;
}

/** A file of a form that was stored while it streamed, as a blob of the organization. */
export interface CallAttachment {
  readonly filename: string;
  /** 64 hexadecimal characters. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** An authenticated, permitted and validated request. */
export interface Call<Body = unknown, Query = unknown, Params = Readonly<Record<string, string>>> {
  readonly org: { readonly id: string; readonly name: string };
  readonly principal: Principal;
  /** As in `Identity`. */
  readonly key?: string;
  readonly session?: Session;
  /** Follows the request from the gateway to the views. */
  readonly correlation: string;
  /** Path parameters, decoded once. */
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** SHA-256 of the body's bytes, on routes that have a shortcut. */
  readonly bodyDigest?: string;
  /** Files of a form, by field. */
  readonly files: Readonly<Record<string, CallFile>>;
  /** Stored files of a form, on routes that accept attachments. */
  readonly attachments: readonly CallAttachment[];
}

/** The call of one route: `@RequestCall() call: CallOf<typeof routes.putEnvironment>`. */
export type CallOf<R extends Route> = Call<BodyOf<R>, QueryFor<R>, ParamsOf<R>>;

/** The data that the pipeline stores on a request. */
export interface CallCarrier {
  assurance?: {
    correlation: string;
    identity?: Identity;
    call?: Call;
    /** Attachments that were stored for the request, until it is answered. */
    uploads?: Upload[];
    /**
     * Call it when a small body that was not there at once has arrived. The request then takes a place, or gets a
     * refusal.
     */
    arrived?: () => void;
    /** Set if the answer may be large. */
    large?: LargeAnswer;
    /** Lets the next large body of the organization be parsed. */
    leave?: () => void;
    /** Whether the client waited for `100 Continue` and got it. */
    goesOn?: boolean;
    /** The place of a read among the reads of the organization, until it is answered. */
    place?: WorkSlot & { readonly end: () => void };
    /** Whether it was refused before the caller was identified. */
    unknownCaller?: boolean;
  } | null;
}

/** Injects the call into a controller's method. */
export const RequestCall = createParamDecorator((_data: unknown, context: ExecutionContext): Call => {
  return callOf(context.switchToHttp().getRequest<FastifyRequest & CallCarrier>());
});

/** The call of a request that the pipeline has read. */
export function callOf({ assurance }: CallCarrier): Call {
  if (assurance?.call === undefined) throw new Error('a public route has no call');
  return assurance.call;
}
