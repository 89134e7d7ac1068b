import type { Role } from '@assurance/contracts/access/events';
import type { Route } from '@assurance/contracts/http/route';
import type { Result } from '@assurance/kernel';
import type { IncomingHttpHeaders } from 'node:http';
import type { BodySeal } from './sealed-body';
import type { SignedRequest } from './signed-identity';

/** The caller of a request. */
export interface Principal {
  readonly id: string;
  /** `invitation`: the holder of an invitation's token, on one route; `id` is the invitation's id. `gateway`: a gateway, on its own routes. */
  readonly kind: 'user' | 'service-account' | 'invitation' | 'gateway';
  readonly name: string;
  /** The role in the organization of the call. */
  readonly role: Role;
}

export interface Identity {
  readonly org: { readonly id: string; readonly name: string };
  readonly principal: Principal;
  /**
   * The holder of the organization: the user who created it or owns it as a personal organization, otherwise the
   * organization itself. Places and bytes are shared among holders. Absent: the organization itself.
   */
  readonly holder?: string;
  /** SHA-256 of the API key that proved the identity; absent if a gateway signed the identity. */
  readonly key?: string;
  /** The data that the seal of the body must match, if a gateway signed the identity and a body follows. */
  readonly seal?: BodySeal;
  /** The session that proved the identity; absent for callers with a key. */
  readonly session?: Session;
  /** A `Set-Cookie` header for the answer, which extends the session. */
  readonly renewed?: string;
}

/** The sealed content of a session cookie. */
export interface Session {
  readonly id: string;
  /** Id of the principal that signed in. */
  readonly principal: string;
  /**
   * SHA-256 of the API key that started the session; the session ends with the key. Null: the OpenID Connect provider
   * started it.
   */
  readonly key: string | null;
  /** Integer milliseconds, like `renewedAt`. */
  readonly startedAt: number;
  /** When the browser was given the cookie. */
  readonly renewedAt: number;
}

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
