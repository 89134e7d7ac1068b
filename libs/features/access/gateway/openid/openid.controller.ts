import { Controller, Get, Inject, NotFoundException, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionAnswer } from '@assurance/contracts/access/answers/session';
import { provedSignIn } from '@assurance/contracts/access/proved-sign-in';
import { routes } from '@assurance/contracts/http/routes/routes';
import {
  CLOCK,
  type Clock,
  IDS,
  type Ids,
  LOGGER,
  type Logger,
  PORTS,
  type Ports,
  SETTINGS,
  type Settings,
} from '@assurance/event-sourcing/tokens';
import {
  type Answer,
  answer,
  type CallCarrier,
  type CallOf,
  RefusalError,
  RequestCall,
  Route,
  SECRET_BOX,
  type SecretBox,
} from '@assurance/http';
import { InternalRequests } from '@assurance/http/gateway/own-requests';
import { sha256 } from '@assurance/kernel';
import { Sessions } from '../session/sessions';
import { InvalidKeyCounter } from '../wrong-keys';
import { type Attempt, Attempts } from './attempt';
import { CALLBACK_PATH, OPENID_PATH, returnPathOf } from './paths';
import { type Claims, groupsSentAsPaths, personOf } from './person';
import { Provider, SignInFailed } from './provider';

/** The most failed sign-ins of one account in a minute. */
const FAILED_MAX = 10;
/** The limit of concurrent sign-ins that wait for the provider. */
const AT_ONCE = 100;
const REFUSED = 'sign-ins at the provider were refused';
const GROUPS_UNKNOWN =
  'the provider did not send the groups of a person, as Entra ID does beyond 200: roles did not change, and who had none got those of everybody. Send only groups that are assigned to the application, or application roles';
const SENT_AS_PATH =
  'a group of ASSURANCE_OPENID_ROLES gives no role, because the provider sends it with a slash, as Keycloak sends full paths: write it so in the mapping, or send names alone';

/** An attempt to sign in: see `Attempt`. */
type StartedAttempt = Pick<Attempt, 'back' | 'attachTo'>;

interface SignedInUser {
  readonly id: string;
  readonly name: string;
  /** See `Session`. */
  readonly groupsUnknown?: true;
}

/** Sign-in at the OpenID Connect provider. Browsers are sent to these addresses, so they are not in the route table. */
@Controller()
export class OpenIdController {
  /** Null if no provider is configured. */
  private readonly provider: Provider | null;
  private readonly attempts: Attempts;
  private readonly sessions: Sessions;
  private readonly ofAddress: InvalidKeyCounter;
  private readonly ofAccount: InvalidKeyCounter;
  private underWay = 0;
  /** Groups that the log named as sent with a slash. */
  private readonly namedGroups = new Set<string>();

  constructor(
    private readonly internalRequests: InternalRequests,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(PORTS) { documents }: Ports,
    @Inject(SECRET_BOX) box: SecretBox,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { openIdConnect } = settings;
    this.provider = openIdConnect === null ? null : new Provider(openIdConnect, settings.proxies, clock);
    this.attempts = new Attempts(documents, box, settings, clock);
    this.sessions = new Sessions(box, settings, clock);
    this.ofAddress = new InvalidKeyCounter(settings.limits.wrongKeysPerMinute, clock, logger, REFUSED);
    this.ofAccount = new InvalidKeyCounter(FAILED_MAX, clock, logger, REFUSED);
  }

  /** Sends the browser to the provider. */
  @Get(OPENID_PATH)
  async begin(@Req() request: FastifyRequest, @Query('return_to') returnTo: unknown): Promise<Answer> {
    if (this.provider === null) throw new NotFoundException();
    const returnAddress = backTo(returnTo);
    try {
      const { location, cookie } = await this.attempt(this.provider, { back: returnAddress });
      return redirect(location, { 'set-cookie': cookie });
    } catch (fault) {
      return this.redirectFailure(request, fault, { back: returnAddress });
    }
  }

  /**
   * Answers the address where a signed-in user attaches an identity. As for every change with a session, only pages of this service can send the
   * request. The attempt names the user, and `finish` requires a session of the same user.
   */
  @Route(routes.attachIdentity)
  async attach(
    @RequestCall() { principal, session, body }: CallOf<typeof routes.attachIdentity>,
    @Req() request: FastifyRequest,
  ): Promise<Answer> {
    if (session === undefined || principal.kind !== 'user') throw new RefusalError({ kind: 'forbidden' });
    if (this.provider === null) throw new RefusalError({ kind: 'identity-provider-none' });
    const attempt = { back: backTo(body.return_to), attachTo: principal.id };
    try {
      const { location, cookie } = await this.attempt(this.provider, attempt);
      return answer(200, { location }, { 'set-cookie': cookie });
    } catch (fault) {
      const { headers } = this.redirectFailure(request, fault, attempt);
      return answer(200, { location: headers['location'] });
    }
  }

  private async attempt(
    provider: Provider,
    begun: StartedAttempt,
  ): Promise<{ readonly location: string; readonly cookie: string }> {
    const secrets = await provider.begin();
    const location = await provider.address(secrets, this.callback, begun.attachTo !== undefined);
    return { location, cookie: this.attempts.cookieOf({ ...secrets, ...begun, at: this.clock.now() }) };
  }

  /** Handles the browser that the provider sends back. */
  @Get(CALLBACK_PATH)
  async finish(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Answer> {
    if (this.provider === null) throw new NotFoundException();
    const attempt = this.attempts.read(request.headers);
    // An attempt can be used once, whether or not it succeeds. The session, if there is one, is a second cookie of the answer.
    void reply.header('set-cookie', this.attempts.clearingCookie());
    try {
      if (this.ofAddress.secondsToWait(request.ip) !== null || this.underWay >= AT_ONCE)
        throw new SignInFailed('too-many');
      if (attempt === null || !(await this.attempts.use(attempt))) throw new SignInFailed('expired');
      if (attempt.attachTo !== undefined) await this.checkSession(request, attempt.attachTo);
      const signedInUser = await this.identify(this.provider, attempt, request);
      if (attempt.attachTo !== undefined) {
        this.logger.info({ principal: signedInUser.id }, 'a user attached an identity of the provider');
        return redirect(`${this.settings.publicUrl}${attempt.back}`);
      }
      const now = this.clock.now();
      const { id: principal, groupsUnknown } = signedInUser;
      const session = { id: this.ids.next(), principal, key: null, startedAt: now, renewedAt: now, groupsUnknown };
      this.logger.info({ principal, session: session.id }, 'somebody signed in at the provider');
      if (groupsUnknown)
        this.logger.warn({ principal, session: session.id, claim: this.provider.settings.groupsClaim }, GROUPS_UNKNOWN);
      return redirect(`${this.settings.publicUrl}${attempt.back}`, { 'set-cookie': this.sessions.cookieOf(session) });
    } catch (fault) {
      return this.redirectFailure(request, fault, attempt ?? { back: '/' });
    }
  }

  /**
   * Checks that the browser that comes back still has a session of the user who began the attempt.
   *
   * @throws SignInFailed
   */
  private async checkSession({ ip, headers: { cookie = '' } }: FastifyRequest, user: string): Promise<void> {
    const { path } = routes.getSession;
    const { status, body } = await this.internalRequests.send({
      method: 'GET',
      url: path,
      headers: { cookie },
      address: ip,
    });
    if (status !== 200 || (JSON.parse(body) as SessionAnswer).principal.id !== user) throw new SignInFailed('expired');
  }

  /** @throws SignInFailed */
  private async identify(provider: Provider, attempt: Attempt, request: FastifyRequest): Promise<SignedInUser> {
    const [, query = ''] = (request.raw.url ?? '').split('?', 2);
    this.underWay += 1;
    try {
      const claims = await provider.claims(new URL(`${this.callback}?${query}`), attempt);
      const account = sha256(JSON.stringify([claims.iss, claims.sub]));
      if (this.ofAccount.secondsToWait(account) !== null) throw new SignInFailed('too-many', '', account);
      const person = personOf(claims, provider.settings);
      if (!person.ok) throw new SignInFailed('email', person.refusal, account);
      const { status, body } = await this.internalRequests.send({
        method: 'POST',
        url: provedSignIn.path,
        headers: { ...this.internalRequests.proof(), 'x-request-id': correlationOf(request) },
        address: request.ip,
        body: { ...person.value, ...(attempt.attachTo === undefined ? {} : { attach_to: attempt.attachTo }) },
      });
      if (status === 403) throw new SignInFailed('removed', '', account);
      if (status === 409) throw new SignInFailed('taken', '', account);
      if (status !== 200) throw new SignInFailed('failed', `the service answered ${status}`);
      this.noteGroupsSentAsPaths(claims, provider.settings);
      const user = JSON.parse(body) as Pick<SignedInUser, 'id' | 'name'>;
      return person.value.groups_unknown === true ? { ...user, groupsUnknown: true } : user;
    } finally {
      this.underWay -= 1;
    }
  }

  /** Logs each group once, because the mapping is the same for all. */
  private noteGroupsSentAsPaths(claims: Claims, settings: Provider['settings']): void {
    for (const group of groupsSentAsPaths(claims, settings)) {
      if (this.namedGroups.has(group)) continue;
      this.namedGroups.add(group);
      this.logger.warn({ group, sent: `/${group}` }, SENT_AS_PATH);
    }
  }

  /** Logs and counts a failed sign-in and redirects the browser to the page that shows the reason: the page for sign-in or for attaching. */
  private redirectFailure(request: FastifyRequest, fault: unknown, { back, attachTo }: StartedAttempt): Answer {
    if (!(fault instanceof SignInFailed)) throw fault;
    const { problem, why, account } = fault;
    const correlation = correlationOf(request);
    // Beyond the limit, it logs one line a minute.
    if (problem === 'too-many') this.ofAddress.note(request.ip, false);
    else {
      const fields = { correlation, address: request.ip, problem, why, account };
      if (problem === 'away') this.logger.warn(fields, 'the OpenID Connect provider gave no valid answer');
      else this.logger.info(fields, 'a sign-in was refused');
    }
    if (problem !== 'away' && problem !== 'too-many') {
      this.ofAddress.note(request.ip, true);
      if (account !== null) this.ofAccount.note(account, true);
    }
    if (attachTo !== undefined) {
      const params = new URLSearchParams({ problem, request: correlation });
      return redirect(`${this.settings.publicUrl}${back}${back.includes('?') ? '&' : '?'}${params}`);
    }
    const query = new URLSearchParams({ problem, request: correlation, return_to: back });
    return redirect(`${this.settings.publicUrl}/sign-in?${query}`);
  }

  /** Computed late, because the port may be known only when the process listens. */
  private get callback(): string {
    return `${this.settings.publicUrl}${CALLBACK_PATH}`;
  }
}

/** @throws RefusalError if it is not a page of the service */
function backTo(returnTo: unknown): string {
  const back = returnPathOf(returnTo);
  if (back !== null) return back;
  throw new RefusalError({ kind: 'invalid', errors: { return_to: 'Input should be the path of a page' } });
}

function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return answer(302, Buffer.alloc(0), { ...headers, location, 'referrer-policy': 'no-referrer' });
}

function correlationOf(request: FastifyRequest): string {
  return (request as CallCarrier).assurance?.correlation ?? '';
}
