import type { MemberAnswer, MembershipPage } from '@assurance/contracts/access/answers/access';
import type { Caller } from './support/caller';
import { userKeyOf } from './support/declared';
import { eventually } from './support/eventually';
import { newMember } from './support/joining';
import { onOwnServices } from './support/world';

const MEMBERS = '/organizations/acme/members';
const LOG = '/membership-audit-log/acme';

/** Answers of several requests in a row, because each gateway has its own cache of members. */
async function statuses(caller: Caller, path: string): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < 4; i += 1) all.push((await caller.send('GET', path)).status);
  return all;
}

onOwnServices((world) => {
  const admin = () => world().as('admin');
  const events = async (query = '') => (await admin().get<MembershipPage>(`${LOG}${query}`)).events;

  it('lists members by name', async () => {
    const all = await admin().get<MemberAnswer[]>(MEMBERS);
    expect(all.slice(0, 1)).toEqual([{ user: 'user-admin', email: 'admin@example.com', role: 'admin' }]);
    expect(all.map(({ user }) => user)).toEqual([...all.map(({ user }) => user)].sort());
    expect(await admin().get(`${MEMBERS}?page=2&per_page=1`)).toHaveLength(1);
  });

  it('invites a new person, and lists each of their roles', async () => {
    const path = `${MEMBERS}/grace`;
    expect((await admin().refused(404, 'PUT', path, { json: { role: 'reader' } })).message).toBe(
      "User 'grace' is no member of organization 'acme'. With an email they are invited",
    );
    const grace = world().withHeader(`Bearer ${await newMember(world(), admin(), 'grace', 'reader')}`);
    await grace.get('/environments/acme');
    await grace.get('/environments/grace');
    await grace.refused(403, 'GET', LOG);
    expect(await admin().expect(200, 'PUT', path, { json: { role: 'admin' } })).toEqual({
      user: 'grace',
      role: 'admin',
      invitation: null,
    });
    const seen = await eventually(
      () => statuses(grace, LOG),
      (all) => all.every((status) => status === 200),
    );
    expect(new Set(seen)).toEqual(new Set([200]));
    expect(await admin().expect(200, 'DELETE', path, { json: null })).toBe('OK');
    const shut = await eventually(
      () => statuses(grace, '/environments/acme'),
      (all) => all.every((status) => status === 403),
    );
    expect(new Set(shut)).toEqual(new Set([403]));
    await grace.get('/environments/grace');
    expect((await admin().refused(404, 'DELETE', path)).message).toContain('no member');

    const results = (await events('?search=GRACE')).map(({ type, role, previous_role, source, changed_by }) => [
      type,
      role,
      previous_role,
      source,
      changed_by,
    ]);
    expect(results).toEqual([
      ['removed', '', 'admin', 'app', 'ci-admin'],
      ['changed', 'admin', 'reader', 'app', 'ci-admin'],
      ['added', 'reader', '', 'invitation', 'ci-admin'],
    ]);
  });

  it('keeps one administrator, and does not change personal organizations', async () => {
    expect(
      (await admin().refused(400, 'PUT', `${MEMBERS}/user-admin`, { json: { role: 'reader' } })).message,
    ).toContain('administrator');
    await admin().refused(400, 'DELETE', `${MEMBERS}/user-admin`);
    const still = await admin().get<MemberAnswer[]>(MEMBERS);
    expect(still).toContainEqual({ user: 'user-admin', email: 'admin@example.com', role: 'admin' });
    const own = world().withHeader(`Bearer ${userKeyOf('admin')}`);
    await own.refused(400, 'PUT', '/organizations/user-admin/members/stranger', { json: { role: 'reader' } });
    await admin().refused(400, 'PUT', `${MEMBERS}/ein%20Name`, { json: { role: 'reader', email: 'a@example.com' } });
  });
});
