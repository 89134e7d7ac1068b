import type { Identify, AuthenticationAttempt, Settings } from '@assurance/http';
import { no, ok } from '@assurance/kernel';
import type { Identities } from '../identities';
import { isFromPage } from './from-page';
import type { SessionEnds } from './session-ends';
import type { Sessions } from './sessions';

interface Parts {
  readonly sessions: Sessions;
  readonly ends: SessionEnds;
  readonly identities: Identities;
  readonly settings: Pick<Settings, 'publicUrl'>;
  /** Called with the SHA-256 of the key behind each accepted session. */
  readonly used: (hash: string) => void;
}

/**
 * The guard for requests with a session's cookie and without a key: the session stands for the key that it was begun with, or for who
 * signed in at the provider. Null where the request brings no session that is good.
 */
export function identifyBySession({ sessions, ends, identities, settings, used }: Parts) {
  return async ({ headers, org, request }: AuthenticationAttempt): Promise<Awaited<ReturnType<Identify>> | null> => {
    const session = sessions.read(headers);
    if (session === null) return null;
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads && !isFromPage(headers, settings.publicUrl)) return no('not-from-page');
    if (await ends.isEnded(session)) return null;
    const found = await identities.ofSession(session, org);
    if (!found.ok) return found.refusal === 'unauthenticated' ? null : found;
    if (session.key !== null) used(session.key);
    // Reads alone renew it: what ends a session answers with a cookie of its own.
    const renewed = reads ? sessions.renewed(session) : undefined;
    return ok({ ...found.value, session, ...(renewed === undefined ? {} : { renewed }) });
  };
}
