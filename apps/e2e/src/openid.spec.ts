import { userKeyOf } from './support/declared';
import { deployments } from './support/deployments';
import { eventually } from './support/eventually';
import { problemOf, signingIn } from './support/openid/signing-in';
import { Visitor } from './support/openid/visitor';
import { fresh } from './support/samples';

/** Nobody listens there: requests go to the gateways, as through a proxy that takes the path away. */
const PUBLIC_URL = 'http://127.0.0.1:9/assurance';
const CALLBACK = '/api/v2/sign-in/openid/callback';
const GATEWAYS = 2;

describe.each(deployments)('signing in at a provider, on the $name deployment', (deployment) => {
  const settings = { ASSURANCE_OPENID_NAME: 'Our <b>login</b>' };
  const {
    provider,
    running,
    world,
    visitor,
    person: somebody,
    sessionOf,
  } = signingIn(deployment, PUBLIC_URL, settings);

  /** Waits until every gateway refused a session. */
  async function ended(visitor: Visitor): Promise<void> {
    const ask = () => Promise.all(Array.from({ length: GATEWAYS }, () => visitor.api('GET', '/session')));
    await eventually(ask, (answers) => answers.every(({ status }) => status === 401));
  }

  it('is offered by its configured name', async () => {
    const { body } = await visitor().api('GET', '/sign-in');
    expect(body).toEqual({
      api_key: true,
      openid_connect: { name: 'Our <b>login</b>', path: '/api/v2/sign-in/openid' },
    });
  });

  it('redirects to the provider with PKCE, state and nonce, and back to the page', async () => {
    const login = await somebody({ preferred_username: 'ada.lovelace' });
    const ada = visitor();
    const address = new URL(await ada.begin('/acme/environments?page=1'));
    expect(Object.fromEntries(address.searchParams)).toEqual({
      client_id: 'assurance',
      redirect_uri: `${PUBLIC_URL}${CALLBACK}`,
      response_type: 'code',
      scope: 'openid profile email groups',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    const back = await ada.atProvider(address.href, login);
    expect(await ada.comeBack(back)).toBe('/acme/environments?page=1');
    expect([...ada.service.cookies.keys()]).toEqual(['assurance_session']);
    const session = await sessionOf(ada);
    expect(session).toMatchObject({
      principal: { name: 'ada.lovelace', kind: 'user' },
      organizations: [{ name: 'ada.lovelace', role: 'admin', personal: true }],
    });
    expect((session.session?.expires_at ?? 0) - (session.session?.started_at ?? 0)).toBe(168 * 3_600);
  });

  it('creates one user for a subject, whatever its name and address are later', async () => {
    const login = await somebody({ preferred_username: fresh('grace') });
    const [first, second] = [visitor(), visitor()];
    await first.signIn(login);
    await provider().account(login, {
      email: 'admin@example.com',
      email_verified: true,
      preferred_username: 'user-admin',
    });
    await second.signIn(login);
    expect((await sessionOf(second)).principal).toEqual((await sessionOf(first)).principal);
  });

  it('takes over no user by name or address', async () => {
    const login = await somebody({ preferred_username: 'user-admin', email: 'admin@example.com' });
    const eve = visitor();
    await eve.signIn(login);
    const { principal, organizations } = await sessionOf(eve);
    expect(principal.name).toBe('user-admin-2');
    expect(organizations).toEqual([{ name: 'user-admin-2', role: 'admin', personal: true }]);
    expect((await eve.api('GET', '/environments/acme')).status).toBe(403);
  });

  it('creates one user for two simultaneous sign-ins', async () => {
    const login = await somebody();
    const visitors = [visitor(), visitor()];
    await Promise.all(visitors.map((person) => person.signIn(login)));
    const [first, second] = await Promise.all(visitors.map(sessionOf));
    expect(first?.principal).toEqual(second?.principal);
  });

  describe('is refused', () => {
    it('to a browser that did not begin it', async () => {
      const mallory = visitor();
      const back = await mallory.atProvider(await mallory.begin(), await somebody());
      const victim = visitor();
      expect(problemOf(await victim.comeBack(back))).toBe('expired');
      await victim.begin();
      expect(problemOf(await victim.comeBack(back))).toBe('failed');
      expect(victim.service.cookies.has('assurance_session')).toBe(false);
    });

    it('to one that returns twice', async () => {
      const person = visitor();
      const back = await person.atProvider(await person.begin(), await somebody());
      expect(await person.comeBack(back)).toBe('/');
      expect(problemOf(await person.comeBack(back))).toBe('expired');
    });

    it('to one that kept its cookie, at any gateway', async () => {
      const person = visitor();
      const login = await somebody();
      const address = await person.begin();
      const oldCookies = [...person.service.cookies];
      expect(await person.comeBack(await person.atProvider(address, login))).toBe('/');
      for (let i = 0; i < GATEWAYS; i += 1) {
        for (const [name, value] of oldCookies) person.service.cookies.set(name, value);
        expect(problemOf(await person.comeBack(await person.atProvider(address, login)))).toBe('expired');
      }
    });

    it('with an ID token for another client', async () => {
      const login = await somebody({ id_token: { azp: 'another' } });
      expect(problemOf(await visitor().signIn(login))).toBe('failed');
    });

    it('to users who decline at the provider, and keeps the page', async () => {
      const person = visitor();
      const state = new URL(await person.begin('/acme/flows')).searchParams.get('state') ?? '';
      const query = new URLSearchParams({ error: 'access_denied', state, iss: provider().issuer });
      const location = await person.comeBack(`${PUBLIC_URL}${CALLBACK}?${query}`);
      expect(problemOf(location)).toBe('denied');
      expect(location).toContain('return_to=%2Facme%2Fflows');
    });

    it('with a code that was never issued', async () => {
      const person = visitor();
      const state = new URL(await person.begin()).searchParams.get('state') ?? '';
      const query = new URLSearchParams({ code: 'made-up', state, iss: provider().issuer });
      expect(problemOf(await person.comeBack(`${PUBLIC_URL}${CALLBACK}?${query}`))).toBe('failed');
    });

    it.each(['https://evil.example', '//evil.example', '/\\evil.example', '/api/v2/session'])(
      'with %s as the page to go back to',
      async (page) => {
        const answer = await visitor().ask(`/api/v2/sign-in/openid?return_to=${encodeURIComponent(page)}`);
        expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
        expect(await answer.json()).toMatchObject({ errors: { return_to: expect.any(String) } });
      },
    );

    it('while the provider is unavailable, and works again afterwards', async () => {
      const person = visitor();
      const back = await person.atProvider(await person.begin(), await somebody());
      await provider().away(true);
      expect(problemOf(await person.comeBack(back))).toBe('away');
      await provider().away(false);
      expect(await person.signIn(await somebody())).toBe('/');
    });
  });

  describe('attaching an identity', () => {
    /** A new user with an API key who is signed in with a session of that key. */
    async function withSession() {
      const person = visitor();
      await person.signIn(await somebody());
      const { body } = await person.api('POST', '/user/api-keys', { description: 'laptop' });
      return { person, key: (body as { key: string }).key, id: (body as { id: string }).id };
    }
    const identitiesOf = async (person: Visitor) =>
      (await person.api('GET', '/user/identities')).body as { id: string }[];
    const begin = async (person: Visitor, back = '/acme/settings/sign-in') => {
      person.forgetProvider();
      const { status, body } = await person.api('POST', '/user/identities', { return_to: back });
      expect(status).toBe(200);
      return (body as { location: string }).location;
    };
    const attach = async (person: Visitor, login: string) =>
      person.comeBack(await person.atProvider(await begin(person), login));

    it('lets the user sign in until it is detached, and then creates a new user', async () => {
      const { person } = await withSession();
      const { principal } = await sessionOf(person);
      const login = await somebody();
      const address = await begin(person);
      expect(new URL(address).searchParams.get('prompt')).toBe('login');
      expect(await person.comeBack(await person.atProvider(address, login))).toBe('/acme/settings/sign-in');
      expect((await sessionOf(person)).principal).toEqual(principal);
      const other = visitor();
      await other.signIn(login);
      expect((await sessionOf(other)).principal).toEqual(principal);
      const results = await identitiesOf(person);
      expect(results).toHaveLength(2);
      const own = results.find((identity) => (identity as { email?: string }).email === `${login}@example.com`);
      expect(await person.api('DELETE', `/user/identities/${own?.id}`)).toMatchObject({ status: 200 });
      expect(await person.api('DELETE', `/user/identities/${own?.id}`)).toMatchObject({ status: 404 });
      const later = visitor();
      await later.signIn(login);
      expect((await sessionOf(later)).principal.id).not.toBe(principal.id);
      await later.signIn(login);
      expect(await identitiesOf(later)).toHaveLength(1);
    });

    it('is refused for an identity of somebody else', async () => {
      const login = await somebody();
      await visitor().signIn(login);
      const { person } = await withSession();
      expect(problemOf(await attach(person, login))).toBe('taken');
      expect(await identitiesOf(person)).toHaveLength(1);
    });

    it('is refused to requests that no page sent, to keys, and with another page to go back to', async () => {
      const { person, key } = await withSession();
      const plain = { headers: { 'content-type': 'application/json' }, body: '{"return_to": "/"}' };
      expect((await person.ask('/api/v2/user/identities', { ...plain, method: 'POST' })).status).toBe(403);
      await world()
        .withHeader(`Bearer ${key}`)
        .refused(403, 'POST', '/user/identities', { json: { return_to: '/' } });
      expect((await person.api('POST', '/user/identities', { return_to: '//evil.example' })).status).toBe(400);
    });

    it('is refused to a browser that has no session of the user who began', async () => {
      const [{ person }, { person: other }] = [await withSession(), await withSession()];
      const back = await person.atProvider(await begin(person), await somebody());
      const attempt = [...person.service.cookies].find(([name]) => name !== 'assurance_session');
      if (attempt === undefined) throw new Error('there is no attempt');
      other.service.cookies.set(...attempt);
      expect(problemOf(await other.comeBack(back))).toBe('expired');
      expect(await identitiesOf(other)).toHaveLength(1);
      await person.api('DELETE', '/session');
      expect(problemOf(await person.comeBack(back))).toBe('expired');
    });

    it('cannot take away the last way to sign in', async () => {
      const { person, id } = await withSession();
      const [own] = await identitiesOf(person);
      expect((await person.api('DELETE', `/user/api-keys/${id}`)).status).toBe(200);
      expect(await person.api('DELETE', `/user/identities/${own?.id}`)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('could not sign in any more') },
      });
      expect((await person.api('POST', '/user/api-keys', { description: 'new' })).status).toBe(201);
      expect((await person.api('DELETE', `/user/identities/${own?.id}`)).status).toBe(200);
    });
  });

  it('is accepted only from a gateway', async () => {
    const fields = { issuer: provider().issuer, subject: '1', name: 'root', email: '', admin: ['acme'] };
    const json = { ...fields, member: [], snapshotter: [], auditor: [], reader: [] };
    for (const header of [null, `Bearer ${userKeyOf('admin')}`, 'Bearer v1.00000000.AAAA']) {
      const headers = { 'content-type': 'application/json', ...(header === null ? {} : { authorization: header }) };
      const sent = { method: 'POST', headers, body: JSON.stringify(json) };
      expect((await visitor().ask('/api/v2/sign-in/openid/proved', sent)).status).toBe(401);
    }
  });

  describe('the session', () => {
    it('permits changes only to pages, and can create a key', async () => {
      const person = visitor();
      await person.signIn(await somebody());
      const answer = await person.api('POST', '/user/api-keys', { description: 'laptop' });
      expect(answer.status).toBe(201);
      const { key } = answer.body as { key: string };
      expect((await world().withHeader(`Bearer ${key}`).send('GET', '/session')).status).toBe(200);
      const plain = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"description":""}' };
      expect((await person.ask('/api/v2/user/api-keys', plain)).status).toBe(403);
    });

    it('ends with sign-out, and everywhere on demand', async () => {
      const login = await somebody();
      const [person, otherPerson] = [visitor(), visitor()];
      await person.signIn(login);
      await otherPerson.signIn(login);
      const oldSession = person.service.cookies.get('assurance_session') ?? '';
      expect((await person.api('DELETE', '/session')).status).toBe(200);
      person.service.cookies.set('assurance_session', oldSession);
      await ended(person);
      expect((await otherPerson.api('DELETE', '/sessions')).status).toBe(200);
      await person.signIn(login);
      expect((await person.api('GET', '/session')).status).toBe(200);
    });

    it('ends when the user is removed, who cannot sign in again', async () => {
      const login = await somebody();
      const person = visitor();
      await person.signIn(login);
      const { principal } = await sessionOf(person);
      expect(await running().operator.run('remove-user', principal.name)).toMatchObject({ outcome: { ok: true } });
      await ended(person);
      expect(problemOf(await person.signIn(login))).toBe('removed');
    });
  });
});
