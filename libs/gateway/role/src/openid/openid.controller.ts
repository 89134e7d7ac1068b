import { Controller, Get, Inject, NotFoundException, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { provedSignIn } from '@assurance/contracts-http';
import {
  type Answer,
  answer,
  type CallCarrier,
  CLOCK,
  type Clock,
  IDS,
  type Ids,
  LOGGER,
  type Logger,
  type OpenIdConnect,
  RefusalError,
  SECRET_BOX,
  type SecretBox,
  SETTINGS,
  type Settings,
} from '@assurance/http';
import { sha256 } from '@assurance/kernel';
import { OwnRequests } from '../own-requests';
import { Sessions } from '../session/sessions';
import { WrongKeys } from '../wrong-keys';
import { type Attempt, Attempts } from './attempt';
import { CALLBACK_PATH, OPENID_PATH, returnPath } from './paths';
import { personOf } from './person';
import { Provider, SignInFailed } from './provider';

/** The most failed sign-ins of one account in a minute. */
const FAILED_MAX = 10;
/** The limit of concurrent sign-ins that wait for the provider. */
const AT_ONCE = 100;
const REFUSED = 'sign-ins at the provider were refused';

/** The problems that the sign-in page shows: those of `SignInFailed`, and those that this controller finds. */
type Problem = SignInFailed['problem'] | 'expired' | 'email' | 'removed' | 'too-many';

interface Known {
  readonly id: string;
  readonly name: string;
}

/**
 * Signing in at the OpenID Connect provider, by addresses that browsers are sent to. They are no part of the API, so they are not in the route
 * table.
 */
@Controller()
export class OpenIdController {
  private readonly configured: { readonly provider: Provider; readonly settings: OpenIdConnect } | null;
  private readonly attempts: Attempts;
  private readonly sessions: Sessions;
  private readonly ofAddress: WrongKeys;
  private readonly ofAccount: WrongKeys;
  private underWay = 0;

  constructor(
    private readonly own: OwnRequests,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(SECRET_BOX) box: SecretBox,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { openIdConnect } = settings;
    this.configured =
      openIdConnect === null ? null : { provider: new Provider(openIdConnect, clock), settings: openIdConnect };
    this.attempts = new Attempts(box, settings, clock);
    this.sessions = new Sessions(box, settings, clock);
    this.ofAddress = new WrongKeys(settings.limits.wrongKeysPerMinute, clock, logger, REFUSED);
    this.ofAccount = new WrongKeys(FAILED_MAX, clock, logger, REFUSED);
  }

  /** Sends the browser to the provider. */
  @Get(OPENID_PATH)
  async begin(@Req() request: FastifyRequest, @Query('return_to') asked: unknown): Promise<Answer> {
    if (this.configured === null) throw new NotFoundException();
    const { provider } = this.configured;
    const back = returnPath(asked);
    if (back === null) {
      throw new RefusalError({ kind: 'invalid', errors: { return_to: 'Input should be the path of a page' } });
    }
    try {
      const secrets = await provider.begin();
      const location = await provider.address(secrets, this.callback);
      const attempt = { ...secrets, back, at: this.clock.now() };
      return redirect(location, { 'set-cookie': this.attempts.cookieOf(attempt) });
    } catch (fault) {
      return this.failed(request, fault, back);
    }
  }

  /** Takes the browser that the provider sends back. */
  @Get(CALLBACK_PATH)
  async finish(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Answer> {
    if (this.configured === null) throw new NotFoundException();
    const attempt = this.attempts.read(request.headers);
    // An attempt can be used once, whether or not it succeeds. The session, if there is one, is a second cookie of the answer.
    void reply.header('set-cookie', this.attempts.forgotten());
    try {
      if (this.ofAddress.waits(request.ip) !== null || this.underWay >= AT_ONCE) throw new Refused('too-many');
      if (attempt === null) throw new Refused('expired');
      const who = await this.identify(this.configured, attempt, request);
      const now = this.clock.now();
      const session = { id: this.ids.next(), principal: who.id, key: null, startedAt: now, renewedAt: now };
      this.logger.info({ principal: who.id, session: session.id }, 'somebody signed in at the provider');
      return redirect(`${this.settings.publicUrl}${attempt.back}`, { 'set-cookie': this.sessions.cookieOf(session) });
    } catch (fault) {
      return this.failed(request, fault, attempt?.back ?? '/');
    }
  }

  /** @throws SignInFailed, Refused */
  private async identify(
    { provider, settings }: NonNullable<OpenIdController['configured']>,
    attempt: Attempt,
    request: FastifyRequest,
  ): Promise<Known> {
    const [, query = ''] = (request.raw.url ?? '').split('?', 2);
    this.underWay += 1;
    try {
      const claims = await provider.claims(new URL(`${this.callback}?${query}`), attempt);
      const account = sha256(JSON.stringify([claims.iss, claims.sub]));
      if (this.ofAccount.waits(account) !== null) throw new Refused('too-many', account);
      const person = personOf(claims, settings);
      if (!person.ok) throw new Refused(person.refusal, account);
      const { status, body } = await this.own.send({
        method: 'POST',
        url: provedSignIn.path,
        headers: { ...this.own.proof(), 'x-request-id': correlationOf(request) },
        address: request.ip,
        body: person.value,
      });
      if (status === 403) throw new Refused('removed', account);
      if (status !== 200) throw new SignInFailed('failed', `the service answered ${status}`);
      return JSON.parse(body) as Known;
    } finally {
      this.underWay -= 1;
    }
  }

  /** Logs and counts a failed sign-in and redirects the browser to the sign-in page, which shows the reason. */
  private failed(request: FastifyRequest, fault: unknown, back: string): Answer {
    if (!(fault instanceof SignInFailed) && !(fault instanceof Refused)) throw fault;
    const { problem, why } = fault;
    const account = fault instanceof Refused ? fault.account : null;
    const correlation = correlationOf(request);
    // Beyond the limit, lines are written once a minute.
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
    const query = new URLSearchParams({ problem, request: correlation, return_to: back });
    return redirect(`${this.settings.publicUrl}/sign-in?${query}`);
  }

  /** Read late: the port may be known only when the process listens. */
  private get callback(): string {
    return `${this.settings.publicUrl}${CALLBACK_PATH}`;
  }
}

/** The provider authenticated the person, but the person may not sign in. */
class Refused extends Error {
  override readonly name = 'Refused';
  readonly why = '';
  /** @param account SHA-256 of issuer and subject; null while they are unknown */
  constructor(
    readonly problem: Exclude<Problem, SignInFailed['problem']>,
    readonly account: string | null = null,
  ) {
    super(problem);
  }
}

function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return answer(302, Buffer.alloc(0), { ...headers, location, 'referrer-policy': 'no-referrer' });
}

function correlationOf(request: FastifyRequest): string {
  return (request as CallCarrier).assurance?.correlation ?? '';
}
