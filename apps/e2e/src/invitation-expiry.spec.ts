import { userKeyOf } from './support/declared';
import { startAtTime } from './support/deployments';
import { invite, invited } from './support/joining';
import { TestClock } from './support/test-clock';
import { worldOf } from './support/world';

const WEEK_MS = 7 * 24 * 3_600_000;

it('accepts an invitation for a week and not a second longer', async () => {
  const clock = new TestClock();
  const service = await startAtTime(clock);
  const world = await worldOf(service);
  const admin = world.as('admin');
  const createdAt = clock.now;
  const [late, timely] = [await invite(admin, 'late', 'reader'), await invite(admin, 'timely', 'reader')];
  const own = await admin.expect<{ token: string }>(201, 'POST', '/organizations/acme/invitations', {
    json: { email: 'stranger@example.com', role: 'reader' },
  });
  await clock.set(createdAt - (createdAt % 1_000) + WEEK_MS - 1);
  await invited(world, timely).expect(201, 'POST', '/invitations/accept', { json: {} });
  await clock.set(clock.now + 1);
  await invited(world, late).refused(401, 'POST', '/invitations/accept', { json: {} });
  const user = world.withHeader(`Bearer ${userKeyOf('member')}`);
  await user.refused(404, 'POST', '/user/invitations', { json: { token: own.token } });
  // It is still listed: an administrator sees that it was not accepted.
  const open = await admin.get<{ id: string }[]>('/organizations/acme/invitations');
  expect(open.map(({ id }) => id)).toContain(late.id);
  await service.stop();
  expect(service.faults).toEqual([]);
}, 60_000);
