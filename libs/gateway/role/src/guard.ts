import { type Identify, type IdentifyContext } from '@assurance/http';
import { Identities } from './identities';
import { identifyByKey } from './identify-by-key';
import { KeyUses } from './key-uses';
import { identifyGateway } from './own-requests';
import { identifyBySession } from './session/identify-by-session';
import { SessionEnds } from './session/session-ends';
import { Sessions } from './session/sessions';
import { WrongKeys } from './wrong-keys';

/** The guard of a process that has the gateway: a key where a request has one, else the session of a browser. */
export function guard({ ports, clock, logger, settings, secretBox }: IdentifyContext): Identify {
  const { documents } = ports;
  const uses = new KeyUses(documents, logger);
  const used = (key: string) => uses.note(key, clock.now());
  const identities = new Identities(documents, clock);
  const wrongKeys = new WrongKeys(settings.limits.wrongKeysPerMinute, clock, logger);
  const byKey = identifyByKey(documents, clock, wrongKeys, used, identities);
  const bySession = identifyBySession({
    sessions: new Sessions(secretBox, settings, clock),
    ends: new SessionEnds(documents, clock),
    ...{ identities, settings, used },
  });

  return async (knock) => {
    if (knock.route.permission === 'gateway') return identifyGateway(knock.authorization, secretBox, clock);
    const session = knock.authorization.length === 0 ? await bySession(knock) : null;
    const found = session ?? (await byKey(knock));
    if (!found.ok && knock.route.id === 'createSession') {
      logger.info({ address: knock.address, why: found.refusal }, 'a sign-in was refused');
    }
    return found;
  };
}
