import type { Identify, IdentifyContext } from '@assurance/http';
import { identifyGateway } from '@assurance/http/gateway/own-requests';
import { identifyByKey } from './identify-by-key';
import { Identities } from './identities';
import { KeyUses } from './key-uses';
import { identifyBySession } from './session/identify-by-session';
import { SessionEnds } from './session/session-ends';
import { Sessions } from './session/sessions';
import { InvalidKeyCounter } from './wrong-keys';

/** The guard of a process with the gateway. It checks the key of a request, or the session of a browser if there is no key. */
export function guard({ ports, clock, logger, settings, secretBox }: IdentifyContext): Identify {
  const { documents } = ports;
  const uses = new KeyUses(documents, logger);
  const noteUse = (key: string) => uses.note(key, clock.now());
  const identities = new Identities(documents, clock);
  const wrongKeys = new InvalidKeyCounter(settings.limits.wrongKeysPerMinute, clock, logger);
  const byKey = identifyByKey(documents, clock, wrongKeys, noteUse, identities);
  const bySession = identifyBySession({
    sessions: new Sessions(secretBox, settings, clock),
    ends: new SessionEnds(documents, clock),
    identities,
    settings,
    noteUse,
  });

  return async (attempt) => {
    if (attempt.route.permission === 'gateway') return identifyGateway(attempt.authorization, secretBox, clock);
    const session = attempt.authorization.length === 0 ? await bySession(attempt) : null;
    const result = session ?? (await byKey(attempt));
    if (!result.ok && attempt.route.id === 'createSession') {
      logger.info({ address: attempt.address, why: result.refusal }, 'a sign-in was refused');
    }
    return result;
  };
}
