import type { IncomingHttpHeaders } from 'node:http';
import { PAGE_HEADER } from '@assurance/contracts/access/session-cookie';
import type { Settings } from '@assurance/event-sourcing/tokens';
import type { AuthenticationAttempt, Identify } from '@assurance/http';
import { err, ok } from '@assurance/kernel';
import type { Identities } from '../identities';
import type { SessionEnds } from './session-ends';
import type { Sessions } from './sessions';

interface Parts {
  readonly sessions: Sessions;
  readonly ends: SessionEnds;
  readonly identities: Identities;
  readonly settings: Pick<Settings, 'publicUrl'>;
  /** Called with the SHA-256 of the key behind each accepted session. */
  readonly noteUse: (hash: string) => void;
}

/**
 * The guard for requests that have a session's cookie and no key. The session has the rights of the key that began it, or of the user who signed in
 * at the provider. Null if the request has no valid session.
 */
export function identifyBySession({ sessions, ends, identities, settings, noteUse: used }: Parts) {
  return async ({ headers, org, request }: AuthenticationAttempt): Promise<Awaited<ReturnType<Identify>> | null> => {
    const session = sessions.read(headers);
    if (session === null) return null;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads && !isFromPage(headers, settings.publicUrl)) return err('not-from-page');
    if (await ends.isEnded(session)) return null;
    const result = await identities.identityOfSession(session, org);
    if (!result.ok) return result.refusal === 'unauthenticated' ? null : result;
    if (session.key !== null) used(session.key);
    // Only reads renew it, because the routes that end a session answer with their own cookie.
    const renewingCookie = reads ? sessions.renewingCookie(session) : undefined;
    return ok({ ...result.value, session, ...(renewingCookie === undefined ? {} : { renewed: renewingCookie }) });
  };
}

/**
 * Whether a request shows that a page of this service sent it. Pages of others cannot set the header, because no answer of this service allows it. If
 * the browser also states the origin of the request, the origin must be right too.
 *
 * @param publicUrl the URL of the service as seen from outside
 */
function isFromPage(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  if (headers[PAGE_HEADER] === undefined) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return origin === new URL(publicUrl).origin || (URL.canParse(origin) && new URL(origin).host === host);
}
