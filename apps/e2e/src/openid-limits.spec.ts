import { together } from './support/deployments';
import { TestProvider } from './support/openid/provider';
import { problemOf } from './support/openid/signing-in';
import { Visitor } from './support/openid/visitor';
import type { RunningService } from './support/running';

jest.setTimeout(60_000);
const PUBLIC_URL = 'http://127.0.0.1:9/assurance';
const CALLBACK = '/api/v2/sign-in/openid/callback';
const START_MS = 90_000;
const OF_ADDRESS = 5;
const OF_ACCOUNT = 10;

describe('sign-ins that fail, at one gateway', () => {
  let provider: TestProvider;
  let running: RunningService;
  /** All secrets of a browser that nobody else may read. */
  const secrets: string[] = [];
  let log: readonly string[] = [];

  beforeAll(async () => {
    provider = await TestProvider.start();
    await provider.redirects(`${PUBLIC_URL}${CALLBACK}`);
    await provider.account('eve', { email: 'eve@evil.example', email_verified: true });
    await provider.account('ada', { email: 'ada@example.com', email_verified: true });
    const more = {
      ASSURANCE_PUBLIC_URL: PUBLIC_URL,
      ASSURANCE_OPENID_EMAIL_DOMAINS: 'example.com',
      ASSURANCE_OPENID_ROLES: '{"acme": {"admin": ["platform"], "member": ["/shop"]}}',
      ASSURANCE_MAX_WRONG_KEYS_PER_MINUTE: String(OF_ADDRESS),
      ASSURANCE_TRUSTED_PROXIES: '127.0.0.0/8',
      ASSURANCE_LOG_LEVEL: 'info',
    };
    const [{ start }] = together;
    running = await start(provider.settings(more));
  }, START_MS);

  afterAll(() => provider.stop());

  const at = (address: string) => new Visitor(PUBLIC_URL, [running.url], { 'x-forwarded-for': address });

  async function fails(visitor: Visitor, login: string): Promise<string | null> {
    const begun = await visitor.begin();
    const back = await visitor.atProvider(begun, login);
    const requests = [new URL(begun), new URL(back)].flatMap(({ searchParams }) => [...searchParams]);
    secrets.push(...requests.filter(([name]) => ['state', 'nonce', 'code'].includes(name)).map(([, value]) => value));
    secrets.push(...visitor.service.cookies.values());
    return problemOf(await visitor.comeBack(back));
  }

  it('are accepted from an address up to its limit, and from others', async () => {
    const callback = `${PUBLIC_URL}${CALLBACK}?code=guess&state=guess`;
    for (let i = 0; i < OF_ADDRESS; i += 1) {
      expect(problemOf(await at('192.0.2.1').comeBack(callback))).toBe('expired');
    }
    expect(problemOf(await at('192.0.2.1').comeBack(callback))).toBe('too-many');
    expect(problemOf(await at('192.0.2.2').comeBack(callback))).toBe('expired');
  });

  it('are accepted for an account up to its limit from all addresses, and for others', async () => {
    for (let i = 0; i < OF_ACCOUNT; i += 1) expect(await fails(at(`198.51.100.${i}`), 'eve')).toBe('email');
    expect(await fails(at('198.51.100.99'), 'eve')).toBe('too-many');
    expect(await fails(at('198.51.100.99'), 'ada')).toBeNull();
  });

  it('are logged if the groups give no role by their form, or are not sent', async () => {
    for (const groups of [
      ['/platform', '/shop'],
      ['/platform', 'shop'],
    ]) {
      await provider.account('kay', { email: 'kay@example.com', email_verified: true, groups });
      expect(await fails(at('203.0.113.1'), 'kay')).toBeNull();
    }
    await provider.account('max', { email: 'max@example.com', email_verified: true, id_token: { hasgroups: true } });
    expect(await fails(at('203.0.113.2'), 'max')).toBeNull();
  });

  it('are logged with address and request id, without secrets', async () => {
    await running.stop();
    log = running.faults.flatMap((line) => line.split('\n'));
    const refused = log.filter((line) => line.includes('"a sign-in was refused"'));
    expect(refused.filter((line) => line.includes('"problem":"expired"'))).toHaveLength(OF_ADDRESS + 1);
    const ofEve = refused
      .filter((line) => line.includes('"problem":"email"'))
      .map((line) => JSON.parse(line) as object);
    expect(ofEve).toHaveLength(OF_ACCOUNT);
    for (const line of ofEve) {
      expect(line).toMatchObject({
        address: expect.stringMatching(/^198\.51\.100\./),
        correlation: expect.stringMatching(/./),
        account: expect.stringMatching(/^[0-9a-f]{64}$/),
        why: 'the address is of a domain that may not sign in',
      });
    }
    const warnings = log.filter((line) => line.includes('"level":40')).map((line) => JSON.parse(line) as object);
    expect(warnings).toEqual([
      expect.objectContaining({ group: 'platform', sent: '/platform', msg: expect.stringContaining('full paths') }),
      expect.objectContaining({ claim: 'groups', msg: expect.stringContaining('assigned to the application') }),
    ]);
    expect(secrets.length).toBeGreaterThan(OF_ACCOUNT * 3);
    const all = log.join('\n');
    expect([...secrets, 'the-secret-of-the-client', 'guess'].filter((secret) => all.includes(secret))).toEqual([]);
  });
});

describe('a provider that is not there', () => {
  it('does not prevent the start, and is reported on the sign-in page', async () => {
    const [{ start }] = together;
    const settings = { ASSURANCE_OPENID_ISSUER: 'http://127.0.0.1:9', ASSURANCE_OPENID_CLIENT_ID: 'assurance' };
    const running = await start({ ASSURANCE_PUBLIC_URL: PUBLIC_URL, ...settings });
    const visitor = new Visitor(PUBLIC_URL, [running.url]);
    const location = await visitor.begin('/acme/flows');
    expect(location.startsWith(`${PUBLIC_URL}/sign-in?`)).toBe(true);
    expect(problemOf(location)).toBe('away');
    expect((await visitor.ask('/ready')).status).toBe(200);
    await running.stop();
    expect(running.faults).toEqual([]);
  });
});
