import type { NewApiKey, RotatedApiKey } from '@assurance/contracts/access/answers/access';
import { LATE_KEY } from './support/declared';
import { startAtTime } from './support/deployments';
import { TestClock } from './support/test-clock';
import { worldOf } from './support/world';

it('refuses a key from the second of its expiry on, also one that was just used', async () => {
  const EXPIRES_MS = 4_102_444_800_000;
  const clock = new TestClock();
  const service = await startAtTime(clock);
  const world = await worldOf(service);
  const late = world.withHeader(`Bearer ${LATE_KEY}`);
  await clock.set(EXPIRES_MS - 1);
  await late.get('/deployments/acme');
  await clock.set(EXPIRES_MS);
  await late.refused(401, 'GET', '/deployments/acme');
  await world.as('reader').get('/deployments/acme');
  await service.stop();
  expect(service.faults).toEqual([]);
}, 60_000);

it('accepts a key until its expiry, and a rotated key until the end of its grace period', async () => {
  const clock = new TestClock(1_900_000_000_000);
  const service = await startAtTime(clock);
  const world = await worldOf(service);
  const keys = '/service-accounts/acme/ci-reader/api-keys';
  const status = async (key: string) =>
    (await world.withHeader(`Bearer ${key}`).send('GET', '/deployments/acme')).status;
  const json = { description: 'short', expires_at: clock.now / 1_000 + 7_200 };
  const first = await world.as('admin').expect<NewApiKey>(201, 'POST', keys, { json });
  const second = await world.as('admin').expect<RotatedApiKey>(201, 'POST', `${keys}/${first.id}/rotate`, {
    json: { grace_period_hours: 1, expires_at: 0 },
  });
  expect([second.expires_at, second.grace_period_expires_at]).toEqual([0, clock.now / 1_000 + 3_600]);
  const third = await world.as('admin').expect<NewApiKey>(201, 'POST', keys, { json });
  const all = async () => [await status(first.key), await status(second.key), await status(third.key)];
  expect(await all()).toEqual([200, 200, 200]);
  await clock.set(clock.now + 3_600_000 - 1);
  expect(await all()).toEqual([200, 200, 200]);
  await clock.set(clock.now + 1);
  expect(await all()).toEqual([401, 200, 200]);
  await clock.set(clock.now + 3_600_000);
  expect(await all()).toEqual([401, 200, 401]);
  await service.stop();
  expect(service.faults).toEqual([]);
}, 60_000);
