import type { NewApiKey } from '@assurance/contracts/access/answers/access';
import type { SessionAnswer } from '@assurance/contracts/access/answers/session';
import { Browser } from './support/browser';
import { keyOf, userKeyOf } from './support/declared';
import { startAtTime } from './support/deployments';
import { fresh } from './support/samples';
import { TestClock } from './support/test-clock';
import { onOwnServices, worldOf } from './support/world';

/** How long what was ended may still work: decision 54. */
const STATED_MS = 1_000;
const GATEWAYS = 2;
const PATH = '/environments/acme';
const HOUR_MS = 3_600_000;
const created = () => ({ name: fresh('env'), type: 'docker', description: '' });

onOwnServices((world) => {
  const signedIn = async (key: string) => {
    const browser = new Browser(world());
    await browser.signIn(key);
    return browser;
  };
  const create = (browser: Browser, headers: Readonly<Record<string, string>> = {}) =>
    browser.send('PUT', PATH, { json: created(), headers });

  /** Asks every gateway in turn until each refused twice; what was asked after the stated time was refused. */
  async function shut(browser: Browser): Promise<void> {
    const ended = performance.now();
    for (let refused = 0; refused < GATEWAYS * 2;) {
      const elapsed = performance.now() - ended;
      const status = await browser.status('GET', PATH);
      expect([200, 401]).toContain(status);
      refused = status === 401 ? refused + 1 : 0;
      if (elapsed >= STATED_MS) expect([elapsed, status]).toEqual([elapsed, 401]);
    }
  }

  it('shows how to sign in without a key', async () => {
    const { body } = await world().withHeader(null).send('GET', '/sign-in');
    expect(body).toEqual({ api_key: true, openid_connect: null });
  });

  it('begins with a key, and works at every gateway', async () => {
    const browser = new Browser(world());
    const set = await browser.signIn(userKeyOf('admin'));
    expect(set).toMatch(/^assurance_session=[^;]+; Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax$/);
    for (let i = 0; i < GATEWAYS; i += 1) {
      const { body } = await browser.send('GET', '/session');
      const { principal, organizations, session } = body as SessionAnswer;
      expect(principal).toMatchObject({ name: 'user-admin', kind: 'user' });
      expect(organizations).toEqual([
        { name: 'acme', role: 'admin', personal: false },
        { name: 'user-admin', role: 'admin', personal: true },
      ]);
      expect((session?.expires_at ?? 0) - (session?.started_at ?? 0)).toBe(168 * 3_600);
      expect(await browser.status('GET', PATH)).toBe(200);
      expect((await create(browser)).status).toBe(201);
    }
  });

  it('of a service account has its one organization', async () => {
    const browser = await signedIn(keyOf('reader'));
    const { body } = await browser.send('GET', '/session');
    expect(body).toMatchObject({
      principal: { name: 'ci-reader', kind: 'service-account' },
      organizations: [{ name: 'acme', role: 'reader', personal: false }],
      default_organization: 'acme',
    });
  });

  it('has exactly the rights of its key', async () => {
    const browser = await signedIn(userKeyOf('reader'));
    expect((await create(browser)).status).toBe(403);
    expect(await browser.status('GET', '/environments/other')).toBe(403);
  });

  it('does not begin with a wrong key, and shows no password prompt', async () => {
    const browser = new Browser(world());
    const answer = await browser.tried('guess');
    expect([answer.status, browser.cookie]).toEqual([401, '']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="assurance"');
  });

  it('does not begin with a session', async () => {
    const browser = await signedIn(userKeyOf('member'));
    expect(await browser.status('POST', '/session')).toBe(403);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour of the same site', { 'sec-fetch-site': 'same-site' }],
    ['an address bar', { 'sec-fetch-site': 'none' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['no page that can be told', { origin: 'null' }],
  ])('changes nothing for %s, but reads', async (_, headers) => {
    const browser = await signedIn(userKeyOf('member'));
    expect((await create(browser, headers)).status).toBe(403);
    expect(await browser.status('GET', PATH, { headers })).toBe(200);
  });

  it('changes nothing without the header of pages', async () => {
    const { cookie } = await signedIn(userKeyOf('member'));
    const sent = { json: created(), headers: { cookie, 'sec-fetch-site': 'same-origin' } };
    const refused = await world().withHeader(null).refused(403, 'PUT', PATH, sent);
    expect(refused.message).toContain('X-Assurance-Page: 1');
  });

  /** As the OpenAPI document says it. */
  async function publicOrigin(): Promise<string> {
    const { body } = await world().withHeader(null).send('GET', '/openapi.json');
    const [server] = (body as { readonly servers: readonly { readonly url: string }[] }).servers;
    return new URL(server?.url ?? '').origin;
  }

  it('permits changes to pages of the service', async () => {
    const browser = await signedIn(userKeyOf('member'));
    expect((await create(browser, { 'sec-fetch-site': 'same-origin' })).status).toBe(201);
    expect((await create(browser, { origin: 'https://localhost:9' })).status).toBe(403);
    expect((await create(browser, { origin: await publicOrigin() })).status).toBe(201);
  });

  it.each([
    ['changed', (cookie: string) => `${cookie.slice(0, -8)}AAAAAAA${cookie.slice(-1)}`],
    ['cut short', (cookie: string) => cookie.slice(0, 60)],
    ['made up', () => 'assurance_session=v1.00000000.AAAA'],
    ['empty', () => 'assurance_session='],
  ])('that was %s is none', async (_, change) => {
    const { cookie } = await signedIn(userKeyOf('member'));
    expect(await new Browser(world(), change(cookie)).status('GET', PATH)).toBe(401);
  });

  it('ends with sign-out at every gateway, while others continue', async () => {
    const [own, other] = [await signedIn(userKeyOf('member')), await signedIn(userKeyOf('member'))];
    const oldBrowser = new Browser(world(), own.cookie);
    for (let i = 0; i < GATEWAYS; i += 1) expect(await oldBrowser.status('GET', PATH)).toBe(200);
    expect(await own.status('DELETE', '/session')).toBe(200);
    expect(own.cookie).toBe('');
    await shut(oldBrowser);
    expect(await other.status('GET', PATH)).toBe(200);
  });

  it('ends everywhere on demand, and can begin again', async () => {
    const key = userKeyOf('snapshotter');
    const all = [await signedIn(key), await signedIn(key)] as const;
    const oldBrowsers = all.map(({ cookie }) => new Browser(world(), cookie));
    expect(await all[0].status('DELETE', '/sessions')).toBe(200);
    for (const browser of oldBrowsers) await shut(browser);
    const again = await signedIn(key);
    for (let i = 0; i < GATEWAYS; i += 1) expect(await again.status('GET', PATH)).toBe(200);
  });

  it('ends with its key', async () => {
    const admin = world().withHeader(`Bearer ${userKeyOf('admin')}`);
    const { id, key } = await admin.expect<NewApiKey>(201, 'POST', '/user/api-keys', { json: { description: '' } });
    const browser = await signedIn(key);
    for (let i = 0; i < GATEWAYS; i += 1) expect(await browser.status('GET', PATH)).toBe(200);
    await admin.expect(200, 'DELETE', `/user/api-keys/${id}`);
    await shut(browser);
  });
});

describe('a session in time', () => {
  it('ends when it is idle, goes on when it is used, and ends at the latest', async () => {
    const clock = new TestClock();
    const service = await startAtTime(clock);
    const world = await worldOf(service);
    const browser = new Browser(world);
    await browser.signIn(userKeyOf('admin'));
    const idle = new Browser(world, browser.cookie);
    const begun = clock.now;
    while (clock.now + 7 * HOUR_MS < begun + 168 * HOUR_MS) {
      await clock.set(clock.now + 7 * HOUR_MS);
      const age = clock.now - begun;
      expect([age, await browser.status('GET', PATH)]).toEqual([age, 200]);
    }
    // The first cookie was never used again.
    expect(await idle.status('GET', PATH)).toBe(401);
    await clock.set(begun + 168 * HOUR_MS - 1);
    expect(await browser.status('GET', PATH)).toBe(200);
    await clock.set(clock.now + 1);
    expect(await browser.status('GET', PATH)).toBe(401);
    await service.stop();
    expect(service.faults).toEqual([]);
  }, 60_000);
});
