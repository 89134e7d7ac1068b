import { join } from 'node:path';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import { environmentActivity } from '@assurance/environments/domain/reports';
import type { Engines } from '@assurance/storage-ports';
import { BOOTSTRAP } from '../support/declared';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { notification, payloads, webhook } from '../support/notifying';
import { Place } from '../support/process';
import { Receiver } from '../support/receiver';
import { digest, environment, item, report } from '../support/samples';
import { worldOf } from '../support/world';

const MINUTE = 60_000;
/** How often the check ends between the event and its record. */
const ENDS = 2;

it('tells a missed report once, also where the process ends between the event and the note of it', async () => {
  let now = Date.now();
  let ended = 0;
  let fails = false;
  const receiver = await Receiver.start();
  const installation = new Installation({ ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8' }, () => now);
  const failing = (engines: Engines): Engines => {
    const { documents } = engines;
    const collection = documents.collection.bind(documents);
    documents.collection = (definition) => {
      const result = collection(definition);
      if (definition.name !== environmentActivity.name) return result;
      return Object.assign(Object.create(result) as typeof result, {
        merge: async (...call: Parameters<typeof result.merge>) => {
          if (fails && ended < ENDS) {
            ended += 1;
            throw new Error('the process ends here');
          }
          return result.merge(...call);
        },
      });
    };
    return engines;
  };
  await installation.open(failing);
  const caller = (await worldOf(await installation.start())).as('member');
  const env = await environment(caller, { report_every: 60 });
  await notification(caller, {
    environments: [env],
    triggers: ['ON_STALE_ENV'],
    targets: [webhook(receiver.url('/'))],
  });
  await report(caller, env, [item({ web: digest(env) })]);
  fails = true;
  const late = async () => (await caller.get<EnvironmentAnswer[]>('/environments/acme?late=true')).length;
  await eventually(
    () => {
      // A failed check pauses, and the next one runs half a minute later.
      now += 2 * MINUTE;
      return late();
    },
    (count) => count === 1,
  );
  expect(ended).toBe(ENDS);
  expect(await payloads(receiver, '/', 1)).toHaveLength(1);
  await installation.clear();
  await receiver.stop();
}, 120_000);

it('finds what was expected of reports by a process that was killed before it noted that', async () => {
  const receiver = await Receiver.start();
  const place = new Place();
  const env = { ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP), ASSURANCE_LOG_LEVEL: 'error' };
  const first = place.start(env);
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

  let now = Date.now() + 10 * MINUTE;
  const installation = new Installation({ ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8' }, () => now);
  const caller = (await worldOf(await installation.start({ ASSURANCE_DATA_DIR: join(place.folder, 'data') }))).as(
    'member',
  );
  const late = await eventually(
    () => {
      now += 2 * MINUTE;
      return caller.get<EnvironmentAnswer[]>('/environments/acme?late=true');
    },
    ({ length }) => length === 2,
  );
  expect(late.map(({ name }) => name).sort()).toEqual([reported, changed].sort());
  expect(await payloads(receiver, '/', 2)).toHaveLength(2);
  await installation.clear();
  await place.clear();
  await receiver.stop();
}, 120_000);
