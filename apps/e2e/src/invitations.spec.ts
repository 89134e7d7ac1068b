import type {
  InvitationAnswer,
  MemberAnswer,
  MemberPut,
  MembershipPage,
  WelcomeAnswer,
} from '@assurance/contracts/access/answers/access';
import { OTHER_KEY, userKeyOf } from './support/declared';
import { eventually } from './support/eventually';
import { invite, invited, newMember } from './support/joining';
import { fresh } from './support/samples';
import { onOwnServices } from './support/world';

const INVITATIONS = '/organizations/acme/invitations';
const MEMBERS = '/organizations/acme/members';
const JOIN = '/invitations/accept';
const ACCEPT = '/user/invitations';
const INVALID = { message: 'The invitation does not exist, was used or revoked, or has expired' };

onOwnServices((world) => {
  const admin = () => world().as('admin');
  const user = (role: 'admin' | 'member' | 'reader') => world().withHeader(`Bearer ${userKeyOf(role)}`);
  const stranger = () => world().withHeader(`Bearer ${OTHER_KEY}`);
  const open = async () => admin().get<InvitationAnswer[]>(INVITATIONS);

  it('has a token that is shown once, for one address', async () => {
    const name = fresh('grace');
    const { token, ...listedFields } = await invite(admin(), name, 'member');
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(listedFields).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      email: `${name}@example.com`,
      role: 'member',
      user: name,
      invited_by: 'ci-admin',
      created_at: expect.any(Number) as number,
      expires_at: Math.floor(listedFields.created_at) + 7 * 24 * 3_600,
    });
    const listed = (await open()).filter(({ email }) => email === listedFields.email);
    expect(listed).toEqual([listedFields]);
    expect(JSON.stringify(listed)).not.toContain(token);
  });

  it('creates a user for a new person, who alone gets the key and has the role at once', async () => {
    const name = fresh('grace');
    const invitation = await invite(admin(), name, 'reader');
    expect((await admin().get<MemberAnswer[]>(MEMBERS)).map((member) => member.user)).not.toContain(name);
    const answer = await invited(world(), invitation).expect<WelcomeAnswer>(201, 'POST', JOIN, { json: {} });
    expect(answer).toEqual({
      organization: 'acme',
      user: name,
      role: 'reader',
      api_key: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const grace = world().withHeader(`Bearer ${answer.api_key}`);
    await grace.get('/environments/acme');
    await grace.get(`/environments/${name}`);
    expect(await admin().get(`${MEMBERS}?per_page=50`)).toContainEqual({
      user: name,
      email: `${name}@example.com`,
      role: 'reader',
    });
    const log = await eventually(
      () => admin().get<MembershipPage>(`/membership-audit-log/acme?search=${name}`),
      ({ events }) => events.length > 0,
    );
    expect(log.events).toMatchObject([{ type: 'added', source: 'invitation', changed_by: 'ci-admin', role: 'reader' }]);
    expect((await open()).map(({ id }) => id)).not.toContain(invitation.id);
  });

  it('takes over no account: a user of that name elsewhere gains nothing', async () => {
    const name = fresh('victim');
    // Another organization makes a user of the name, and keeps a key of it.
    const key = await newMember(world(), stranger(), name, 'reader', 'other');
    const trap = world().withHeader(`Bearer ${key}`);
    await stranger().expect(200, 'DELETE', `/organizations/other/members/${name}`);
    const json = { role: 'admin', email: `${name}@acme.example` };
    const { invitation, ...put } = await admin().expect<MemberPut>(201, 'PUT', `${MEMBERS}/${name}`, { json });
    expect([put, invitation?.email]).toEqual([{ user: name, role: 'admin' }, json.email]);
    await trap.refused(403, 'GET', '/environments/acme');
    // Not even with the token: it is for another address.
    const token = { json: { token: invitation?.token } };
    expect((await trap.refused(403, 'POST', ACCEPT, token)).message).toContain('another email address');
    const own = fresh('grace');
    const person = invited(world(), invitation ?? { token: '' });
    expect((await person.refused(400, 'POST', JOIN, { json: {} })).errors).toHaveProperty('user');
    expect(await person.expect(201, 'POST', JOIN, { json: { user: own } })).toMatchObject({ user: own, role: 'admin' });
    await trap.refused(403, 'GET', '/environments/acme');
  });

  it('does not reveal who is a user', async () => {
    const unknown = fresh('nobody');
    for (const [org, caller] of [
      ['acme', admin()],
      ['other', stranger()],
    ] as const) {
      const answers = [];
      for (const name of ['stranger', 'user-admin', unknown].filter(
        (user) => org === 'other' || user !== 'user-admin',
      )) {
        if (org === 'other' && name === 'stranger') continue;
        const path = `/organizations/${org}/members/${name}`;
        const without = await caller.send('PUT', path, { json: { role: 'reader' } });
        const put = await caller.send('PUT', path, { json: { role: 'reader', email: `${name}@example.com` } });
        answers.push([without.status, without.text, put.status, put.text].map((text) => withoutName(text, name)));
      }
      expect(answers.length).toBe(2);
      expect(answers[0]).toEqual(answers[1]);
    }
  });

  it('is accepted by a user with their own key, who gets no other', async () => {
    const reader = user('reader');
    const { token } = await stranger().expect<{ token: string }>(201, 'POST', '/organizations/other/invitations', {
      json: { email: 'Reader@example.com', role: 'member' },
    });
    const joined = { organization: 'other', user: 'user-reader', role: 'member' };
    await user('member').refused(403, 'POST', ACCEPT, { json: { token } });
    expect(await reader.expect(200, 'POST', ACCEPT, { json: { token } })).toEqual(joined);
    await reader.get('/environments/other');
    // The answer may not have reached them.
    expect(await reader.expect(200, 'POST', ACCEPT, { json: { token } })).toEqual(joined);
    expect(await user('member').refused(404, 'POST', ACCEPT, { json: { token } })).toEqual(INVALID);
    await stranger().expect(200, 'DELETE', '/organizations/other/members/user-reader');
    expect(await reader.refused(404, 'POST', ACCEPT, { json: { token } })).toEqual(INVALID);
    await admin().refused(403, 'POST', ACCEPT, { json: { token } });
  });

  it('adds no member twice and changes no member’s role', async () => {
    const { token } = await admin().expect<{ token: string }>(201, 'POST', INVITATIONS, {
      json: { email: 'admin@example.com', role: 'reader' },
    });
    const refusal = await user('admin').refused(400, 'POST', ACCEPT, { json: { token } });
    expect(refusal).toEqual({ message: 'You are a member of this organization already' });
    await user('admin').get('/membership-audit-log/acme');
  });

  it('works once, however many accept at the same moment', async () => {
    const invitation = await invite(admin(), fresh('many'), 'reader');
    const person = invited(world(), invitation);
    const names = Array.from({ length: 6 }, () => fresh('racer'));
    const all = await Promise.all(names.map((name) => person.send('POST', JOIN, { json: { user: name } })));
    const statuses = all.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => ![201, 401, 404].includes(status))).toEqual([]);
    const members = (await admin().get<MemberAnswer[]>(MEMBERS)).map((member) => member.user);
    expect(members.filter((name) => names.includes(name))).toHaveLength(1);
    expect(await person.refused(404, 'POST', JOIN, { json: { user: fresh('late') } })).toEqual(INVALID);
  });

  it('ends when it is revoked or the address is invited again, and gives access to nothing else', async () => {
    const name = fresh('again');
    const first = await invite(admin(), name, 'admin');
    for (const path of ['/environments/acme', INVITATIONS, '/user/default-org']) {
      await invited(world(), first).refused(401, 'GET', path);
    }
    const second = await invite(admin(), name.toUpperCase().replace('EXAMPLE', 'example'), 'reader');
    expect(await invited(world(), first).refused(401, 'POST', JOIN, { json: {} })).toEqual(INVALID);
    await admin().refused(404, 'DELETE', `${INVITATIONS}/${first.id}`);
    await stranger().refused(404, 'DELETE', `/organizations/other/invitations/${second.id}`);
    expect(await admin().expect(200, 'DELETE', `${INVITATIONS}/${second.id}`)).toBe('OK');
    expect(await invited(world(), second).refused(401, 'POST', JOIN, { json: {} })).toEqual(INVALID);
    await admin().refused(404, 'DELETE', `${INVITATIONS}/${second.id}`);
    expect((await open()).map(({ id }) => id)).not.toContain(second.id);
  });

  it('refuses a name that differs from another only by case', async () => {
    const person = invited(world(), await invite(admin(), fresh('case'), 'reader'));
    for (const reserved of ['user-admin', 'USER-admin', 'Acme', 'OTHER']) {
      expect((await person.refused(400, 'POST', JOIN, { json: { user: reserved } })).errors).toEqual({
        user: `This name is taken [input: ${reserved}]`,
      });
    }
    for (const name of ['CI-ADMIN', 'ci-admin']) {
      const json = { name, privilege: 'reader' };
      expect((await admin().refused(400, 'POST', '/service-accounts/acme', { json })).errors).toHaveProperty('name');
    }
    const name = fresh('Mixed');
    await person.expect(201, 'POST', JOIN, { json: { user: name } });
    const other = invited(world(), await invite(admin(), fresh('case'), 'reader'));
    await other.refused(400, 'POST', JOIN, { json: { user: name.toLowerCase() } });
  });

  it('refuses malformed addresses and names, and personal organizations', async () => {
    for (const [json, field] of [
      [{ email: 'nobody', role: 'reader' }, 'email'],
      [{ email: 'a b@example.com', role: 'reader' }, 'email'],
      [{ email: 'a@example.com', role: 'king' }, 'role'],
      [{ email: 'a@example.com', role: 'reader', user: 'a b' }, 'user'],
    ] as const) {
      expect((await admin().refused(400, 'POST', INVITATIONS, { json })).errors).toHaveProperty(field);
    }
    const { token } = await admin().expect<{ token: string }>(201, 'POST', INVITATIONS, {
      json: { email: `${fresh('unnamed')}@example.com`, role: 'reader' },
    });
    expect((await invited(world(), { token }).refused(400, 'POST', JOIN, { json: {} })).errors).toHaveProperty('user');
    const json = { email: 'a@example.com', role: 'reader' };
    await user('admin').refused(400, 'POST', '/organizations/user-admin/invitations', { json });
  });

  it('keeps one administrator when all remove each other at the same moment', async () => {
    const org = fresh('org');
    const founder = user('admin');
    await founder.expect(201, 'POST', '/organizations', { json: { name: org } });
    const [firstUser, secondUser] = [fresh('one'), fresh('two')];
    const callers = new Map([['user-admin', founder]]);
    for (const name of [firstUser, secondUser]) {
      callers.set(name, world().withHeader(`Bearer ${await newMember(world(), founder, name, 'admin', org)}`));
    }
    const all = [...callers.keys()];
    const path = (name: string) => `/organizations/${org}/members/${name}`;
    const answers = await Promise.all(
      all.flatMap((by, i) => {
        const caller = callers.get(by) ?? founder;
        const whom = all[(i + 1) % all.length] ?? '';
        return [caller.send('DELETE', path(whom)), caller.send('PUT', path(by), { json: { role: 'reader' } })];
      }),
    );
    expect(answers.map((answer) => answer.status).filter((status) => status === 200).length).toBeGreaterThan(0);
    const roles: string[] = [];
    for (const caller of callers.values()) {
      const seen = await caller.send('GET', `/organizations/${org}/members`);
      if (seen.status === 200) roles.push(...(seen.body as MemberAnswer[]).map(({ role }) => role));
    }
    expect(roles).toContain('admin');
  });
});

/** An answer without what is different each time. */
function withoutName(fields: string | number, name: string): string | number {
  return typeof fields === 'number'
    ? fields
    : fields
        .replaceAll(name, 'NAME')
        .replace(/"(id|token)": ?"[^"]*"/g, '"$1"')
        .replace(/"(created_at|expires_at)": ?[0-9.]+/g, '"$1"');
}
