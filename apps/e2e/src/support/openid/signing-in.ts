import type { SessionAnswer } from '@assurance/contracts/access/answers/session';
import type { Deployment } from '../deployments';
import type { RunningService, Settings } from '../running';
import { fresh } from '../samples';
import { type World, worldOf } from '../world';
import { TestProvider } from './provider';
import { Visitor } from './visitor';

const START_MS = 90_000;

/** The problem that the address of a page names after a failed sign-in. */
export const problemOf = (location: string) => new URL(location, 'http://here.invalid').searchParams.get('problem');

/** A service at which people sign in through a provider. Both run while the scenarios of a `describe` do. */
export function signingIn(deployment: Pick<Deployment, 'start'>, publicUrl: string, settings: Settings) {
  let provider: TestProvider;
  let running: RunningService;
  let world: Pick<World, 'withHeader'>;

  beforeAll(async () => {
    provider = await TestProvider.start();
    await provider.redirects(`${publicUrl}/api/v2/sign-in/openid/callback`);
    const all = { ASSURANCE_PUBLIC_URL: publicUrl, ASSURANCE_OPENID_EMAIL_DOMAINS: 'example.com', ...settings };
    running = await deployment.start(provider.settings(all));
    world = await worldOf(running);
  }, START_MS);

  afterAll(async () => {
    await running.stop();
    await provider.stop();
    expect(running.faults).toEqual([]);
  }, START_MS);

  return {
    provider: () => provider,
    running: () => running,
    world: () => world,
    visitor: () => new Visitor(publicUrl, running.urls ?? [running.url]),

    /** Sets the claims of a person at the provider, beside a verified address. @returns the login */
    async person(claims: Parameters<TestProvider['account']>[1] = {}, login = fresh('person')): Promise<string> {
      await provider.account(login, { email: `${login}@example.com`, email_verified: true, ...claims });
      return login;
    },

    async sessionOf(visitor: Visitor): Promise<SessionAnswer> {
      const { status, body } = await visitor.api('GET', '/session');
      expect(status).toBe(200);
      return body as SessionAnswer;
    },
  };
}
