import * as os from 'node:os';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import { environmentActivity } from '@assurance/environments/domain/reports';
import { MongoClient } from 'mongodb';
import { eventually } from '../support/eventually';
import { Installation } from '../support/installation';
import { digest, environment, item, report } from '../support/samples';
import { servers } from '../support/servers';
import { worldOf } from '../support/world';

const MINUTE = 60_000;

it('finds at its start what was expected of reports, where nobody noted it', async () => {
  const settings: Record<string, string> = servers();
  let now = Date.now();
  const installation = new Installation(settings, () => now);
  const env = await installation.running(async (started) => {
    const member = (await worldOf(started)).as('member');
    const name = await environment(member, { report_every: 60 });
    await report(member, name, [item({ web: digest(name) })]);
    return name;
  });
  const client = new MongoClient(settings['MONGODB_URL'] ?? '', { runtimeAdapters: { os } });
  const { deletedCount } = await client.db().collection(environmentActivity.name).deleteMany({});
  await client.close();
  expect(deletedCount).toBe(1);

  const caller = (await worldOf(await installation.start())).as('member');
  const late = await eventually(
    () => {
      now += 2 * MINUTE;
      return caller.get<EnvironmentAnswer[]>('/environments/acme?late=true');
    },
    ({ length }) => length > 0,
  );
  expect(late.map(({ name }) => name)).toEqual([env]);
  await installation.clear();
}, 120_000);
