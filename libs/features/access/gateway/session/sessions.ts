import type { IncomingHttpHeaders } from 'node:http';
import { sessionCookie } from '@assurance/contracts/access/session-cookie';
import type { Clock, Settings } from '@assurance/event-sourcing/tokens';
import type { SecretBox, Session } from '@assurance/http';
import { parseCookie, stringifySetCookie } from 'cookie';

/** The context that a session is sealed for. Sealed texts of other contexts do not open as sessions. */
const CONTEXT = 'session';
/** A cookie is replaced at this age (milliseconds), or after a quarter of the time that a session may be idle. */
const RENEWED_MS = 60_000;

/** Stores sessions as cookies that are sealed with the installation's secret. Every gateway can read them, and none stores them. */
export class Sessions {
  constructor(
    private readonly box: Pick<SecretBox, 'seal' | 'open'>,
    private readonly settings: Pick<Settings, 'publicUrl' | 'sessions'>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** The session in a request's cookie; null if there is none, it is over, or this installation did not seal it. */
  read({ cookie }: IncomingHttpHeaders): Session | null {
    const sealedSession = cookie === undefined ? undefined : parseCookie(cookie)[this.cookie.name];
    const session = sealedSession === undefined ? null : this.unseal(sealedSession);
    return session === null || this.clock.now() >= this.endOf(session) ? null : session;
  }

  /** The `Set-Cookie` that stores a session in the browser. */
  cookieOf(session: Session): string {
    const maxAge = Math.ceil((this.endOf(session) - this.clock.now()) / 1_000);
    return this.setCookie(this.box.seal(JSON.stringify(session), CONTEXT), maxAge);
  }

  /** The `Set-Cookie` that deletes the session in the browser. */
  clearingCookie(): string {
    return this.setCookie('', 0);
  }

  /** The `Set-Cookie` that renews a session that was used again; undefined while the cookie is young. */
  renewingCookie(session: Session): string | undefined {
    const now = this.clock.now();
    const after = Math.min(RENEWED_MS, this.settings.sessions.idleMs / 4);
    return now - session.renewedAt < after ? undefined : this.cookieOf({ ...session, renewedAt: now });
  }

  /** When a session ends if it is not used, and when it ends at the latest (integer milliseconds). */
  endsOf({ startedAt, renewedAt }: Session): { readonly idle: number; readonly latest: number } {
    const { idleMs, longestMs } = this.settings.sessions;
    return { idle: Math.min(renewedAt + idleMs, startedAt + longestMs), latest: startedAt + longestMs };
  }

  private endOf(session: Session): number {
    return this.endsOf(session).idle;
  }

  private unseal(sealed: string): Session | null {
    try {
      return JSON.parse(this.box.open(sealed, CONTEXT)) as Session;
    } catch {
      // It is from another installation, sealed with a secret older than the previous one, or forged.
      return null;
    }
  }

  private setCookie(value: string, maxAge: number): string {
    const { name, path, secure } = this.cookie;
    return stringifySetCookie({ name, value, path, secure, maxAge, httpOnly: true, sameSite: 'lax' });
  }

  private get cookie() {
    return sessionCookie(this.settings.publicUrl);
  }
}
