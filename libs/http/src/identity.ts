import type { Role } from '@assurance/contracts/access/events';
import type { BodySeal } from './sealed-body';

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
  /** The provider did not send the groups of the person, so the sign-in changed no role. */
  readonly groupsUnknown?: true;
}
