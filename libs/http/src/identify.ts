import type { Route } from '@assurance/contracts/http/route';
import type { Result } from '@assurance/kernel';
import type { IncomingHttpHeaders } from 'node:http';
import type { Identity } from './identity';
import type { SignedRequest } from './signed-identity';

/** The data of a request before its body is read. */
export interface AuthenticationAttempt {
  /** Each Authorization header as it came; none, one, or (refused) several. */
  readonly authorization: readonly string[];
  /** The organization in the path; null for routes about the caller alone: then the caller's own organization is meant. */
  readonly org: string | null;
  readonly route: Route;
  /** The caller's IP address: the address of the connection, or the address that a trusted proxy states. */
  readonly address: string;
  /** The identity that a gateway signed for this request, as it came; null if there is none. */
  readonly signed: string | null;
  readonly headers: IncomingHttpHeaders;
  readonly request: SignedRequest;
  /** The address and port of this process on the connection. */
  readonly reachedAt: { readonly address: string; readonly port: number };
}

/** The reason why no caller was identified. `too-many-wrong-keys`: the address may try again after the given seconds. */
export type AuthenticationFailure =
  | 'unauthenticated'
  | 'forbidden'
  | 'not-from-page'
  | { readonly kind: 'too-many-wrong-keys'; readonly seconds: number };

/**
 * The one identity guard of a process. `serve` chooses it: it checks keys if the process has the gateway's role, else the gateway's signed
 * header. It identifies the caller; the pipeline then checks the caller's role. `forbidden`: an unknown or a foreign organization.
 */
export type Identify = (attempt: AuthenticationAttempt) => Promise<Result<Identity, AuthenticationFailure>>;
