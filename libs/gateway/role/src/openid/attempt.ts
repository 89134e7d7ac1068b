import type { IncomingHttpHeaders } from 'node:http';
import { signInCookie } from '@assurance/contracts-http';
import type { Clock, SecretBox } from '@assurance/http';
import { parseCookie, stringifySetCookie } from 'cookie';

/** The context that an attempt is sealed for. Sealed texts of other contexts do not open as attempts. */
const CONTEXT = 'sign-in';
/** How long a person may take to sign in at the provider (seconds). */
const PATIENCE_S = 600;

/** The data that the gateway needs when the provider sends the browser back. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
  /** Path and query of the page to go back to. */
  readonly back: string;
  /** Id of the user who attaches the identity; absent for signing in. */
  readonly attachTo?: string;
  /** Integer milliseconds. */
  readonly at: number;
}

/** Attempts to sign in as cookies, sealed, so that the browser may come back to any gateway. */
export class Attempts {
  constructor(
    private readonly box: Pick<SecretBox, 'seal' | 'open'>,
    private readonly settings: { readonly publicUrl: string },
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** The attempt that a browser brings; null without one, and for one that took too long or is not ours. */
  read({ cookie }: IncomingHttpHeaders): Attempt | null {
    const sealed = cookie === undefined ? undefined : parseCookie(cookie)[signInCookie(this.settings.publicUrl).name];
    if (sealed === undefined) return null;
    try {
      const attempt = JSON.parse(this.box.open(sealed, CONTEXT)) as Attempt;
      return this.clock.now() - attempt.at < PATIENCE_S * 1_000 ? attempt : null;
    } catch {
      return null;
    }
  }

  /** The `Set-Cookie` by which a browser keeps an attempt. */
  cookieOf(attempt: Attempt): string {
    return this.setCookie(this.box.seal(JSON.stringify(attempt), CONTEXT), PATIENCE_S);
  }

  /** The `Set-Cookie` by which a browser forgets its attempt: it is good once. */
  forgotten(): string {
    return this.setCookie('', 0);
  }

  private setCookie(value: string, maxAge: number): string {
    const { name, path, secure } = signInCookie(this.settings.publicUrl);
    return stringifySetCookie({ name, value, path, secure, maxAge, httpOnly: true, sameSite: 'lax' });
  }
}
