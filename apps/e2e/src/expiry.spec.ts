import { LATE_KEY } from './support/declared';
import { startAtTime } from './support/shapes';
import { worldOf } from './support/world';

it('refuses a key from the second on at which it expires, also one that was just taken', async () => {
  const EXPIRES_MS = 4_102_444_800_000;
  let now = Date.now();
  const service = await startAtTime(() => now);
  const world = await worldOf(service);
  const late = world.withHeader(`Bearer ${LATE_KEY}`);
  now = EXPIRES_MS - 1;
  await late.get('/deployments/acme');
  now = EXPIRES_MS;
  await late.refused(401, 'GET', '/deployments/acme');
  await world.as('reader').get('/deployments/acme');
  await service.stop();
  expect(service.faults).toEqual([]);
}, 60_000);
