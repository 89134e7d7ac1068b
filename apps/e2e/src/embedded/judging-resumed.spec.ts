import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import { BOOTSTRAP, OTHER_KEY } from '../support/declared';
import { explode, explodingEnvironment } from '../support/exploding';
import { Place, type Process } from '../support/process';
import { digest, item } from '../support/samples';
import { worldOf } from '../support/world';

const WAIT_MAX_MS = 5_000;

describe('a service that is killed while policies explode', () => {
  let place: Place;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());

  it('answers others at once after its restart, and permits detaching the policies', async () => {
    const env = { ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP), ASSURANCE_LOG_LEVEL: 'error' };
    const start = async (service: Process) => {
      const world = await worldOf({ url: await service.url() });
      return { acme: world.as('member'), other: world.withHeader(`Bearer ${OTHER_KEY}`) };
    };
    const first = place.start(env);
    const { acme, other } = await start(first);
    await other.expect(201, 'PUT', '/environments/other', { json: { name: 'calm', type: 'docker', description: '' } });
    const all = [await explodingEnvironment(acme), await explodingEnvironment(acme)];
    const reports = all.map((target) => explode(acme, target.env, target.env).catch(() => 'gone'));
    await Promise.race(reports);
    await first.kill();
    await Promise.all(reports);

    const second = place.start(env);
    const back = await start(second);
    let longest = 0;
    for (let i = 0; i < 30; i += 1) {
      const began = performance.now();
      const json = { artifacts: [item({ web: digest(`calm ${i}`) })] };
      await back.other.expect(200, 'PUT', '/environments/other/calm/report/docker', { json });
      longest = Math.max(longest, performance.now() - began);
    }
    // A second where nothing else runs; a freeze took twenty minutes.
    expect(longest).toBeLessThan(WAIT_MAX_MS);
    for (const target of all) {
      const json = { policy_names: target.policies };
      await back.acme.expect(200, 'DELETE', `/environments/acme/${target.env}/policies`, { json });
      expect((await back.acme.get<EnvironmentAnswer>(`/environments/acme/${target.env}`)).policies).toEqual([]);
    }
    expect(await second.stop()).toBe(0);
  }, 120_000);
});
