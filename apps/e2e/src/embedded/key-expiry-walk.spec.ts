import { keyNotices } from '@assurance/notifications/domain/key-expiry';
import type { Engines } from '@assurance/storage-ports';
import { Installation } from '../support/installation';
import { eventually } from '../support/eventually';
import { payloads, webhook } from '../support/notifying';
import { Receiver } from '../support/receiver';
import { worldOf } from '../support/world';

const DAY = 24 * 3_600;
const ACCOUNTS = 12;

it('looks at the changed account alone where one of many has another key', async () => {
  const receiver = await Receiver.start();
  const installation = new Installation({ ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8' });
  const keys = new Set<string>();
  const noting = (engines: Engines): Engines => {
    const collection = engines.documents.collection.bind(engines.documents);
    engines.documents.collection = (definition) => {
      const result = collection(definition);
      if (definition.name !== keyNotices.name) return result;
      return Object.assign(Object.create(result) as typeof result, {
        getMany: async (ids: readonly string[]) => {
          for (const id of ids) keys.add(id);
          return result.getMany(ids);
        },
      });
    };
    return engines;
  };
  await installation.open(noting);
  const admin = (await worldOf(await installation.start())).as('admin');
  const addKey = async (name: string, days: number) => {
    const json = { description: `${days} days`, expires_at: Math.floor(Date.now() / 1_000) + days * DAY };
    await admin.expect(201, 'POST', `/service-accounts/acme/${name}/api-keys`, { json });
  };
  const names = Array.from({ length: ACCOUNTS }, (_, i) => `bot-${i}`);
  for (const name of names) {
    await admin.expect(201, 'POST', '/service-accounts/acme', { json: { name, privilege: 'reader' } });
    await addKey(name, 100);
  }
  const config = '/notification-config/acme/api_key_expiry';
  await admin.expect(201, 'PUT', config, { json: { targets: [webhook(receiver.url('/'))] } });
  await addKey('bot-3', 2);
  await payloads(receiver, '/', 1);
  // The message may leave in the middle of the walk.
  expect(
    await eventually(
      () => keys.size,
      (size) => size > ACCOUNTS,
    ),
  ).toBeGreaterThan(ACCOUNTS);

  keys.clear();
  await addKey('bot-4', 90);
  await addKey('bot-5', 3);
  await payloads(receiver, '/', 2);
  // Keys of the changed accounts, perhaps also of the previous one. A full scan would read all of them.
  expect(keys.size).toBeLessThanOrEqual(6);
  await installation.clear();
  await receiver.stop();
}, 120_000);
