import type { MembershipEventAnswer, MembershipPage } from '@assurance/contracts/access/answers/access';
import { SOURCES } from '@assurance/contracts/access/events';
import { eventually } from './support/eventually';
import { invite, newMember } from './support/joining';
import { fresh } from './support/samples';
import { onOwnServices } from './support/world';

const LOG = '/membership-audit-log/acme';
const COLUMNS = {
  when: 'created_at',
  user: 'user',
  role: 'role',
  changed_by: 'changed_by',
  source: 'source',
} as const;

/** Specification 4.4, parameter by parameter. */
onOwnServices((world) => {
  const admin = () => world().as('admin');
  const page = (query: string) => admin().get<MembershipPage>(`${LOG}?${query}`);
  const events = async (query: string) => (await page(query)).events;
  const put = (user: string, json: object) =>
    admin().expect(200, 'PUT', `/organizations/acme/members/${user}`, { json });
  const messages = (all: readonly MembershipEventAnswer[]) => all.map(({ type, role, source }) => [type, role, source]);

  /** Somebody who was added, changed twice and removed, and again added. */
  async function somebody(): Promise<string> {
    const user = fresh('Grace');
    const key = await newMember(world(), admin(), user, 'reader');
    await put(user, { role: 'member', source: 'scim' });
    await put(user, { role: 'admin', source: 'script' });
    await admin().expect(200, 'DELETE', `/organizations/acme/members/${user}`);
    const { token } = await invite(admin(), user, 'snapshotter');
    await world().withHeader(`Bearer ${key}`).expect(200, 'POST', '/user/invitations', { json: { token } });
    return user;
  }
  let user: string;
  beforeAll(async () => {
    user = await somebody();
    // The last event is of somebody else's request, so the administrator's lists do not wait for it.
    await eventually(
      () => page(`search=${user}`),
      ({ total_count }) => total_count === 5,
    );
  });

  it('shows each field of an event, and the fields of a page', async () => {
    const [event, ...more] = await events(`search=${user}&role=admin`);
    expect(more).toEqual([]);
    expect(event).toEqual({
      id: expect.stringMatching(/./) as string,
      type: 'changed',
      user,
      changed_by: 'ci-admin',
      role: 'admin',
      previous_role: 'member',
      source: 'script',
      created_at: expect.any(Number) as number,
    });
    expect(Math.abs((event?.created_at ?? 0) - Date.now() / 1000)).toBeLessThan(120);
    const { _links, events: listed, ...counts } = await page(`search=${user}&per_page=2&page=2`);
    expect(counts).toEqual({ page: 2, per_page: 2, total_pages: 3, total_count: 5 });
    expect(listed).toHaveLength(2);
    expect(Object.keys(_links ?? {}).sort()).toEqual(['first', 'last', 'next', 'prev', 'self']);
    expect(await page('search=nobody-of-this-name')).toMatchObject({ total_pages: 0, total_count: 0, events: [] });
  });

  it('starts at page 1 with the newest event', async () => {
    const all = await page('');
    expect([all.page, all.per_page]).toEqual([1, 15]);
    const times = all.events.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(messages(await events(`search=${user}`))).toEqual([
      ['added', 'snapshotter', 'invitation'],
      ['removed', '', 'app'],
      ['changed', 'admin', 'script'],
      ['changed', 'member', 'scim'],
      ['added', 'reader', 'invitation'],
    ]);
  });

  it('accepts pages from 1 with 1 to 100 events', async () => {
    const all = await page('per_page=100');
    const ids = [];
    for (let number = 1; number <= all.total_count; number += 1) {
      const entryPage = await page(`per_page=1&page=${number}`);
      expect([entryPage.total_pages, entryPage.total_count, entryPage.events.length]).toEqual([
        all.total_count,
        all.total_count,
        1,
      ]);
      ids.push(entryPage.events[0]?.id);
    }
    expect(ids).toEqual(all.events.map(({ id }) => id));
    expect(new Set(ids).size).toBe(all.total_count);
    for (const [name, value] of [
      ['page', '0'],
      ['page', '1.5'],
      ['per_page', '0'],
      ['per_page', '101'],
    ] as const) {
      const { message, errors } = await admin().refused(400, 'GET', `${LOG}?${name}=${value}`);
      expect([message, Object.keys(errors ?? {})]).toEqual([
        expect.stringMatching(/^Input payload validation failed: /),
        [name],
      ]);
    }
  });

  it('finds parts of the names of user and actor in any letter case', async () => {
    const part = user.slice(1).toUpperCase();
    expect(new Set((await events(`search=${part}`)).map((event) => event.user))).toEqual(new Set([user]));
    const byActor = await events('search=BOOTstrap&per_page=100');
    expect(byActor.length).toBeGreaterThan(0);
    for (const event of byActor) expect([event.changed_by, event.user === 'bootstrap']).toEqual(['bootstrap', false]);
  });

  it.each(['added', 'changed', 'removed'])('can be filtered by %s', async (type) => {
    const all = await events(`search=${user}`);
    const results = await events(`search=${user}&type=${type}`);
    expect(results).toEqual(all.filter((event) => event.type === type));
    expect(results.length).toBeGreaterThan(0);
  });

  it('accepts several roles and sources', async () => {
    const all = await events(`search=${user}`);
    const some = async (query: string) => messages(await events(`search=${user}&${query}`));
    const those = (expected: (event: MembershipEventAnswer) => boolean) => messages(all.filter(expected));
    expect(await some('role=member')).toEqual(those(({ role }) => role === 'member'));
    expect(await some('role=member&role=reader')).toEqual(those(({ role }) => ['member', 'reader'].includes(role)));
    for (const source of SOURCES)
      expect(await some(`source=${source}`)).toEqual(those((event) => event.source === source));
    expect(await some('source=scim&source=app&source=invitation')).toEqual(those(({ source }) => source !== 'script'));
    expect(await some('role=member&source=app')).toEqual([]);
  });

  it('shows events from one time to another, both included', async () => {
    const all = await events(`search=${user}`);
    const [, second, third] = all.map(({ created_at }) => created_at);
    const between = await events(`search=${user}&from=${third}&to=${second}`);
    expect(between).toEqual(all.filter(({ created_at }) => created_at >= (third ?? 0) && created_at <= (second ?? 0)));
    expect(between.length).toBeGreaterThanOrEqual(2);
    expect(await events(`search=${user}&to=1`)).toEqual([]);
    expect(await events(`search=${user}&from=9999999999`)).toEqual([]);
    expect(await events(`search=${user}&from=1`)).toEqual(all);
  });

  it('takes each filter by its name and by its older name, and names the former in links', async () => {
    const [, second, third] = (await events(`search=${user}`)).map(({ created_at }) => created_at);
    for (const [query, older] of [
      ['event_type=changed', 'type=changed'],
      ['event_type=changed,added', 'type=changed&type=added'],
      [`from_timestamp=${third}&to_timestamp=${second}`, `from=${third}&to=${second}`],
      ['sort_by=role&sort_dir=asc', 'sort=role&sort_direction=asc'],
      ['sort_by=user', 'sort=user&sort_dir=desc'],
    ]) {
      const [now, then] = [await page(`search=${user}&${query}`), await page(`search=${user}&${older}`)];
      expect(now).toEqual(then);
      expect(now.total_count).toBeGreaterThan(0);
      expect(now._links?.self).not.toMatch(/[?&](type|from|to|sort|sort_direction)=/);
    }
    expect(await events('event_type=added&type=removed')).toEqual(await events('event_type=added'));
  });

  it.each(Object.entries(COLUMNS))('is sorted by %s, in both directions', async (sort, field) => {
    const sorted = async (direction: string) =>
      (await events(`sort=${sort}&${direction}&per_page=100`)).map(({ id }) => id);
    const all = await events('per_page=100');
    const key = (event: MembershipEventAnswer) =>
      field === 'created_at' ? event[field].toFixed(3).padStart(20) : event[field];
    const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
    const rising = [...all].sort((a, b) => compare(key(a), key(b)) || compare(a.id, b.id)).map(({ id }) => id);
    expect(await sorted('sort_direction=asc')).toEqual(rising);
    expect(await sorted('sort_direction=desc')).toEqual([...rising].reverse());
    expect(await sorted('')).toEqual([...rising].reverse());
  });

  const wrong = [
    'event_type=gone',
    'sort_by=id',
    'sort_dir=up',
    'from_timestamp=x',
    'to_timestamp=1e9',
    'type=gone',
    'role=king',
    'source=mail',
    'sort=id',
    'sort_direction=up',
    'odd=1',
  ];
  it.each([...wrong, 'from=x', 'to=1e9', 'from=7&to=6', 'from_timestamp=7&to=6'])(
    'refuses %s, and names the parameter',
    async (query) => {
      const [name] = query.split('=');
      const { message, errors } = await admin().refused(400, 'GET', `${LOG}?${query}`);
      expect([message, Object.keys(errors ?? {})]).toEqual([
        expect.stringMatching(/^Input payload validation failed: /),
        [name],
      ]);
    },
  );

  it('keeps the filters in links to other pages', async () => {
    const query = `page=2&per_page=1&search=${user}&role=member&role=reader&source=scim&source=invitation&sort_by=role`;
    const { _links } = await page(query);
    expect(_links?.prev).toContain(query.replace('page=2', 'page=1'));
  });

  it('is refused to all but administrators and auditors', async () => {
    const forbidden = { message: "You don't have permission to access this resource" };
    for (const role of ['member', 'snapshotter', 'reader'] as const) {
      expect(await world().as(role).refused(403, 'GET', LOG)).toEqual(forbidden);
    }
  });
});
