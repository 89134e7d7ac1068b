import type { MemberAnswer, MembershipPage } from '@assurance/contracts-http';
import type { Caller } from './support/caller';
import { userKeyOf } from './support/declared';
import { eventually } from './support/eventually';
import { onEveryShape } from './support/world';

const MEMBERS = '/organizations/acme/members';
const LOG = '/membership-audit-log/acme';

/** What several requests in a row answer: where there are several doors, each has its own memory of who may. */
async function statuses(caller: Caller, path: string): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < 4; i += 1) all.push((await caller.send('GET', path)).status);
  return all;
}

onEveryShape((world) => {
  const admin = () => world().as('admin');
  const events = async (query = '') => (await admin().get<MembershipPage>(`${LOG}${query}`)).events;

  it('lists members by name', async () => {
    const all = await admin().get<MemberAnswer[]>(MEMBERS);
    expect(all.slice(0, 1)).toEqual([{ user: 'user-admin', email: 'admin@example.com', role: 'admin' }]);
    expect(all.map(({ user }) => user)).toEqual([...all.map(({ user }) => user)].sort());
    expect(await admin().get(`${MEMBERS}?page=2&per_page=1`)).toHaveLength(1);
  });

  it('makes a user of somebody new, with a first key, and follows them through their roles', async () => {
    const path = `${MEMBERS}/grace`;
    expect((await admin().refused(404, 'PUT', path, { json: { role: 'reader' } })).message).toContain(
      "no user 'grace'",
    );
    const made = await admin().expect<{ api_key: string }>(201, 'PUT', path, {
      json: { role: 'reader', email: 'grace@example.com' },
    });
    expect(made).toEqual({ user: 'grace', role: 'reader', api_key: expect.stringMatching(/^[\w-]{43}$/) });
    const grace = world().withHeader(`Bearer ${made.api_key}`);
    await grace.get('/environments/acme');
    await grace.get('/environments/grace');
    await grace.refused(403, 'GET', LOG);
    expect(await admin().expect(200, 'PUT', path, { json: { role: 'admin' } })).toMatchObject({ api_key: null });
    const seen = await eventually(
      () => statuses(grace, LOG),
      (all) => all.every((one) => one === 200),
    );
    expect(new Set(seen)).toEqual(new Set([200]));
    expect(await admin().expect(200, 'DELETE', path, { json: null })).toBe('OK');
    const shut = await eventually(
      () => statuses(grace, '/environments/acme'),
      (all) => all.every((one) => one === 403),
    );
    expect(new Set(shut)).toEqual(new Set([403]));
    await grace.get('/environments/grace');
    expect((await admin().refused(404, 'DELETE', path)).message).toContain('no member');

    const told = (await events('?search=GRACE')).map(({ type, role, previous_role, source, changed_by }) => [
      type,
      role,
      previous_role,
      source,
      changed_by,
    ]);
    expect(told).toEqual([
      ['removed', '', 'admin', 'app', 'ci-admin'],
      ['changed', 'admin', 'reader', 'app', 'ci-admin'],
      ['added', 'reader', '', 'invitation', 'ci-admin'],
    ]);
  });

  it('keeps an administrator, and leaves personal organizations alone', async () => {
    expect(
      (await admin().refused(400, 'PUT', `${MEMBERS}/user-admin`, { json: { role: 'reader' } })).message,
    ).toContain('administrator');
    await admin().refused(400, 'DELETE', `${MEMBERS}/user-admin`);
    const still = await admin().get<MemberAnswer[]>(MEMBERS);
    expect(still).toContainEqual({ user: 'user-admin', email: 'admin@example.com', role: 'admin' });
    const own = world().withHeader(`Bearer ${userKeyOf('admin')}`);
    await own.refused(400, 'PUT', '/organizations/user-admin/members/stranger', { json: { role: 'reader' } });
    await admin().refused(400, 'PUT', `${MEMBERS}/acme`, { json: { role: 'reader', email: 'a@example.com' } });
    await admin().refused(400, 'PUT', `${MEMBERS}/ein%20Name`, { json: { role: 'reader', email: 'a@example.com' } });
  });

  it('filters, sorts and pages the log', async () => {
    const bootstrap = await events('?source=script&type=added&sort=user&sort_direction=asc');
    expect(bootstrap.map(({ user, changed_by }) => [user, changed_by])).toEqual(
      ['admin', 'member', 'reader', 'snapshotter'].map((role) => [`user-${role}`, 'bootstrap']),
    );
    expect((await events('?role=snapshotter&role=reader&source=script')).map(({ role }) => role).sort()).toEqual([
      'reader',
      'snapshotter',
    ]);
    const page = await admin().get<MembershipPage>(`${LOG}?source=script&per_page=3&page=2&sort=role`);
    expect([page.total_count, page.total_pages, page.events.length]).toEqual([4, 2, 1]);
    expect(page._links?.prev).toContain('page=1&per_page=3&source=script&sort=role&sort_direction=desc');
    const first = bootstrap[0];
    expect(await events(`?from=${first?.created_at ?? 0}&to=${first?.created_at ?? 0}&source=script`)).toContainEqual(
      first,
    );
    expect(await events('?to=5')).toEqual([]);
  });

  it.each(['per_page=0', 'per_page=101', 'type=gone', 'role=king', 'source=mail', 'from=7&to=6', 'sort=id', 'odd=1'])(
    'refuses %s',
    async (query) => {
      const { errors } = await admin().refused(400, 'GET', `${LOG}?${query}`);
      expect(Object.keys(errors ?? {})).toEqual([query.split('=')[0]]);
    },
  );

  it('shows the log to admins alone', async () => {
    for (const role of ['member', 'snapshotter', 'reader'] as const) await world().as(role).refused(403, 'GET', LOG);
  });
});
