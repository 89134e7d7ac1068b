import { BOOTSTRAP } from '../support/declared';
import { freePort } from '../support/free-port';
import { Place, type Process } from '../support/process';
import { artifact, digest, environment, flow, item, post, report } from '../support/samples';
import { servers } from '../support/servers';
import { worldOf } from '../support/world';

const START_MS = 120_000;

describe('two processes that play all roles, on MongoDB and Kafka', () => {
  let place: Place;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());

  it(
    'share one installation: each shows what the other took, and one goes on alone',
    async () => {
      const env = { ...servers(), ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP) };
      const started = async () => {
        const operations = String(await freePort());
        return place.start({
          ...env,
          ASSURANCE_PUBLIC_URL: 'http://localhost:1',
          ASSURANCE_OPERATIONS_PORT: operations,
        });
      };
      const [firstProcess, secondProcess] = [await started(), await started()];
      const memberOf = async (process: Process) => (await worldOf({ url: await process.url() })).as('member');
      const [here, there] = [await memberOf(firstProcess), await memberOf(secondProcess)];
      const name = await environment(here);
      await post(here, await flow(there), artifact(digest('small')));
      await report(there, name, [item({ 'web:1': digest('small') })]);
      const running = `/snapshots/acme/${name}/1`;
      expect(await here.get(running)).toMatchObject({ artifacts: [{ fingerprint: digest('small') }] });
      expect(await firstProcess.stop()).toBe(0);
      await report(there, name, [item({ 'web:2': digest('later') })]);
      expect(await there.get(`/snapshots/acme/${name}/2`)).toMatchObject({ index: 2 });
      expect(await secondProcess.stop()).toBe(0);
    },
    START_MS,
  );
});
