import { Controller, Inject } from '@nestjs/common';
import { routes } from '@assurance/contracts/http/routes/routes';
import {
  CLOCK,
  type Clock,
  type Ids,
  IDS,
  LOGGER,
  type Logger,
  PORTS,
  type Ports,
  type Settings,
  SETTINGS,
} from '@assurance/event-sourcing/tokens';
import {
  type Answer,
  answer,
  type Call,
  RefusalError,
  RequestCall,
  Route,
  SECRET_BOX,
  type SecretBox,
  type Session,
} from '@assurance/http';
import { OPENID_PATH } from '../openid/paths';
import { SessionEnds } from './session-ends';
import { Sessions } from './sessions';
import { sessionAnswerOf } from './session-answer';

/** Sessions of signed-in callers. */
@Controller()
export class SessionController {
  private readonly sessions: Sessions;
  private readonly ends: SessionEnds;

  constructor(
    @Inject(PORTS) private readonly ports: Ports,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(SECRET_BOX) box: SecretBox,
  ) {
    this.sessions = new Sessions(box, settings, clock);
    this.ends = new SessionEnds(ports.documents, clock);
  }

  @Route(routes.getSignIn)
  signIn(): Answer {
    const provider = this.settings.openIdConnect;
    return answer(
      200,
      { api_key: true, openid_connect: provider === null ? null : { name: provider.name, path: OPENID_PATH } },
      { 'cache-control': 'no-cache' },
    );
  }

  @Route(routes.createSession)
  async create(@RequestCall() call: Call): Promise<Answer> {
    const { key, principal } = call;
    if (key === undefined || call.session !== undefined) throw new RefusalError({ kind: 'forbidden' });
    const now = this.clock.now();
    const session: Session = { id: this.ids.next(), principal: principal.id, key, startedAt: now, renewedAt: now };
    this.logger.info({ principal: principal.id, session: session.id }, 'somebody signed in with an API key');
    const sessionAnswer = await sessionAnswerOf(this.ports.documents, this.sessions, { ...call, session });
    return answer(201, sessionAnswer, { 'set-cookie': this.sessions.cookieOf(session) });
  }

  @Route(routes.getSession)
  async get(@RequestCall() call: Call): Promise<Answer> {
    return answer(200, await sessionAnswerOf(this.ports.documents, this.sessions, call));
  }

  @Route(routes.deleteSession)
  async end(@RequestCall() { session }: Call): Promise<Answer> {
    if (session !== undefined) await this.ends.end(session, this.sessions.endsOf(session).latest);
    return this.endedAnswer();
  }

  @Route(routes.deleteSessions)
  async endAll(@RequestCall() { principal }: Call): Promise<Answer> {
    await this.ends.endAll(principal.id);
    this.logger.info({ principal: principal.id }, 'all sessions of a principal were ended');
    return this.endedAnswer();
  }

  private endedAnswer(): Answer {
    return answer(200, 'OK', { 'set-cookie': this.sessions.clearingCookie() });
  }
}
