import type { IncomingHttpHeaders } from 'node:http';
import { sessionCookie } from '@assurance/contracts/access/session-cookie';
import type { Clock, Settings } from '@assurance/event-sourcing/tokens';
import type { SecretBox, Session } from '@assurance/http';
import { parseCookie, stringifySetCookie } from 'cookie';

/** The context that a session is sealed for. Sealed texts of other contexts do not open as sessions. */
const CONTEXT = 'session';
/** A cookie is replaced at this age (milliseconds), or after a quarter of the time that a session may be idle. */
const RENEWED_MS = 60_000;

/** Sessions as cookies that are sealed under the installation's secret, so that every gateway can read them and none stores them. */
export class Sessions {
  constructor(
    private readonly box: Pick<SecretBox, 'seal' | 'open'>,
    private readonly settings: Pick<Settings, 'publicUrl' | 'sessions'>,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** The session that came with a request; null without one, and for one that is over or is not ours. */
  read({ cookie }: IncomingHttpHeaders): Session | null {
    const sealed = cookie === undefined ? undefined : parseCookie(cookie)[this.cookie.name];
    const session = sealed === undefined ? null : this.unseal(sealed);
    return session === null || this.clock.now() >= this.endOf(session) ? null : session;
  }

  /** The `Set-Cookie` by which a browser keeps a session. */
  cookieOf(session: Session): string {
    const maxAge = Math.ceil((this.endOf(session) - this.clock.now()) / 1_000);
    return this.setCookie(this.box.seal(JSON.stringify(session), CONTEXT), maxAge);
  }

  /** The `Set-Cookie` by which a browser forgets its session. */
  clearingCookie(): string {
    return this.setCookie('', 0);
  }

  /** A `Set-Cookie` for a session that was used again, undefined while the cookie is young. */
  renewingCookie(session: Session): string | undefined {
    const now = this.clock.now();
    const after = Math.min(RENEWED_MS, this.settings.sessions.idleMs / 4);
    return now - session.renewedAt < after ? undefined : this.cookieOf({ ...session, renewedAt: now });
  }

  /** When a session ends unless it is used before, and at the latest: integer milliseconds. */
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
      // Of another installation, of a secret before the previous one, or made up.
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
