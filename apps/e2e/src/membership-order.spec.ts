import type { MembershipPage } from '@assurance/contracts/access/answers/access';
import { startAtTime } from './support/deployments';
import { newMember } from './support/joining';
import { TestClock } from './support/test-clock';
import { worldOf } from './support/world';

const MEMBERS = 12;
const LOG = '/membership-audit-log/acme';
/** Of the columns, what an event shows of each. */
const COLUMNS = { when: 'created_at', user: 'user', role: 'role', changed_by: 'changed_by', source: 'source' } as const;

it('lists each change of a membership once and in a fixed order, also for simultaneous changes', async () => {
  const service = await startAtTime(new TestClock());
  const world = await worldOf(service);
  const admin = world.as('admin');
  const roles = ['admin', 'member', 'snapshotter', 'auditor'];
  for (let i = 0; i < MEMBERS; i += 1) {
    await newMember(world, admin, `user-${i}`, roles[i % 4] ?? '');
    const json = { role: roles[(i + 1) % 4], source: i % 2 === 0 ? 'scim' : 'app' };
    await admin.expect(200, 'PUT', `/organizations/acme/members/user-${i}`, { json });
  }
  for (const [sort, column] of Object.entries(COLUMNS)) {
    const orders: string[][] = [];
    for (const direction of ['asc', 'desc'] as const) {
      const query = `sort=${sort}&sort_direction=${direction}`;
      const { events: all, total_count } = await admin.get<MembershipPage>(`${LOG}?per_page=100&${query}`);
      expect(all).toHaveLength(total_count);
      const paged: (typeof all)[number][] = [];
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const result = await admin.get<MembershipPage>(`${LOG}?per_page=3&page=${page}&${query}`);
        paged.push(...result.events);
        pages = result.total_pages;
      }
      expect(paged).toEqual(all);
      const keys = all.map((row) => ({ key: row[column], id: row.id }));
      const sign = direction === 'asc' ? 1 : -1;
      const compare = (a: string | number, b: string | number) => (a < b ? -sign : a > b ? sign : 0);
      expect(keys).toEqual([...keys].sort((a, b) => compare(a.key, b.key) || compare(a.id, b.id)));
      orders.push(all.map(({ id }) => id));
    }
    expect(orders[0]).toEqual([...(orders[1] ?? [])].reverse());
  }
  await service.stop();
  expect(service.faults).toEqual([]);
}, 120_000);
