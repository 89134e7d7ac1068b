import { setTimeout } from 'node:timers/promises';
import { BOOTSTRAP, keyOf, OTHER_KEY } from '../support/declared';
import { attachable, explode } from '../support/exploding';
import { Place } from '../support/process';
import { digest, item } from '../support/samples';
import { worldOf } from '../support/world';
import { LIMITS } from './rule';
import { ObservedProcess } from './watched';

const POLICIES = 100;
const START_MS = 120_000;
/** How long it is watched after the restart, and how often another organization reports (milliseconds). */
const WATCHED_MS = 5_000;
const EVERY_MS = 50;

/** The process once was busy for 20 minutes, and again after each restart, since judging resumes. */
describe('100 policies of 200 rules before 1,000 artifacts with names of 400 characters', () => {
  const place = new Place();
  const settings = { ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP), ASSURANCE_LOG_LEVEL: 'error' };
  afterAll(() => place.clear());

  it(
    'hold up nobody after the process was killed and started again, and can be detached',
    async () => {
      const killed = place.start(settings);
      const before = (await worldOf({ url: await killed.url() })).withHeader(`Bearer ${keyOf('member')}`);
      const { env, attached, refused } = await attachable(before, POLICIES);
      expect(refused).toMatchObject({ status: 400 });
      // The answer is not awaited: the process ends while it judges.
      const judging = explode(before, env, env).catch(() => undefined);
      await setTimeout(500);
      await killed.kill();
      await judging;

      const started = place.start(settings);
      const world = await worldOf({ url: await started.url() });
      const other = world.withHeader(`Bearer ${OTHER_KEY}`);
      const acme = world.withHeader(`Bearer ${keyOf('member')}`);
      const watched = new ObservedProcess('standalone', started);
      await other.expect(201, 'PUT', '/environments/other', {
        json: { name: 'prod', type: 'docker', description: '' },
      });
      await watched.begin();
      const again = explode(acme, env, 'again');
      let worst = 0;
      for (const end = performance.now() + WATCHED_MS; performance.now() < end; await setTimeout(EVERY_MS)) {
        const began = performance.now();
        const json = { artifacts: [item({ web: digest(`${began}`) })] };
        await other.expect(200, 'PUT', '/environments/other/prod/report/docker', { json });
        worst = Math.max(worst, performance.now() - began);
      }
      await again;
      const { hold, memory } = await watched.end();
      process.stdout.write(
        `\nafter a restart: hold < ${hold * 1_000} ms, memory ${memory.toFixed()} MiB, worst ${worst.toFixed()} ms\n`,
      );
      await acme.expect(200, 'DELETE', `/environments/acme/${env}/policies`, { json: { policy_names: attached } });
      expect(worst).toBeLessThan(LIMITS.wait);
      expect(hold).toBeLessThanOrEqual(LIMITS.hold);
      expect(memory).toBeLessThan(LIMITS.memory);
    },
    START_MS,
  );
});
