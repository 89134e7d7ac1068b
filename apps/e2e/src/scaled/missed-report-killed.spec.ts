import * as os from 'node:os';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import { environmentActivity } from '@assurance/environments/domain/reports';
import { MongoClient } from 'mongodb';
import { BOOTSTRAP } from '../support/declared';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { notification, payloads, webhook } from '../support/notifying';
import { Place } from '../support/process';
import { Receiver } from '../support/receiver';
import { digest, environment, item, report } from '../support/samples';
import { servers } from '../support/servers';
import { worldOf } from '../support/world';

const MINUTE = 60_000;

describe('a process that is killed before it notes a report, on MongoDB and Kafka', () => {
  const settings: Record<string, string> = {
    ...servers(),
    ASSURANCE_PUBLIC_URL: 'http://localhost:1',
    ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8',
  };
  const client = new MongoClient(settings['MONGODB_URL'] ?? '', { runtimeAdapters: { os } });
  let place: Place;
  let receiver: Receiver;
  beforeEach(async () => {
    place = new Place();
    receiver = await Receiver.start();
  });
  afterEach(async () => {
    await place.clear();
    await receiver.stop();
  });
  afterAll(() => client.close());

  it('reports an environment late like others, and notifies once', async () => {
    const bootstrap = place.write('bootstrap.yaml', BOOTSTRAP);
    const first = place.start({ ...settings, ASSURANCE_BOOTSTRAP_FILE: bootstrap, ASSURANCE_LOG_LEVEL: 'error' });
    const member = (await worldOf({ url: await first.url() })).as('member');
    const [reported, changed] = [await environment(member, { report_every: 60 }), await environment(member)];
    await notification(member, {
      environments: [reported, changed],
      triggers: ['ON_STALE_ENV'],
      targets: [webhook(receiver.url('/'))],
    });
    await report(member, changed, [item({ web: digest(changed) })]);
    await member.expect(200, 'PATCH', `/environments/acme/${changed}`, { json: { report_every: 60 } });
    await report(member, reported, [item({ web: digest(reported) })]);
    await first.kill();
    // The state after a process ended between its commit and the record of it. Whether this process did does not matter.
    await client.db().collection(`documents_${environmentActivity.name}`).deleteMany({});

    let now = Date.now() + 10 * MINUTE;
    const installation = new Installation(settings, () => now);
    const caller = (await worldOf(await installation.start())).as('member');
    const late = await eventually(
      () => {
        now += 2 * MINUTE;
        return caller.get<EnvironmentAnswer[]>('/environments/acme?late=true');
      },
      ({ length }) => length === 2,
    );
    expect(late.map(({ name }) => name).sort()).toEqual([reported, changed].sort());
    const messages = await payloads(receiver, '/', 2);
    expect(messages.map((message) => message['environment']).sort()).toEqual([reported, changed].sort());
    await installation.clear();
    expect(installation.log).toEqual([]);
  }, 180_000);
});
