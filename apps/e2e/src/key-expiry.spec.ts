import type { NotificationConfigAnswer } from '@assurance/contracts/notifications/answers/notification';
import { eventually } from './support/eventually';
import { payloads, webhook } from './support/notifying';
import { Receiver } from './support/receiver';
import { fresh } from './support/samples';
import { onEveryDeployment } from './support/world';

const CONFIG = '/notification-config/acme/api_key_expiry';
const DAY = 24 * 3600;

let receiver: Receiver;
beforeAll(async () => (receiver = await Receiver.start()));
afterAll(() => receiver.stop());

onEveryDeployment((world) => {
  const admin = () => world().as('admin');
  const put = (targets: readonly object[]) => admin().expect(201, 'PUT', CONFIG, { json: { targets } });
  const read = () => admin().get<NotificationConfigAnswer>(CONFIG);
  const nothing = {
    notification_type: 'api_key_expiry',
    scope: null,
    targets: [],
    detection: { days_before: [14, 1] },
  };
  afterEach(() => admin().expect(200, 'DELETE', CONFIG));

  /** A service account with keys that end in so many seconds. */
  async function account(...lives: readonly number[]): Promise<string> {
    const name = fresh('bot');
    await admin().expect(201, 'POST', '/service-accounts/acme', { json: { name, privilege: 'reader' } });
    for (const life of lives) {
      const json = { description: `in ${life}`, expires_at: Math.floor(Date.now() / 1000) + life };
      await admin().expect(201, 'POST', `/service-accounts/acme/${name}/api-keys`, { json });
    }
    return name;
  }

  describe('warnings of ending API keys', () => {
    it('have no targets until some are set, and none after they are deleted', async () => {
      expect(await read()).toMatchObject(nothing);
      expect(await put([{ type: 'EMAIL', emails: ['a@example.com', 'b@example.com'] }])).toBe('OK');
      const set = await read();
      expect(set).toMatchObject({
        ...nothing,
        targets: [{ type: 'EMAIL', emails: ['a@example.com', 'b@example.com'] }],
      });
      await put(set.targets);
      expect(await read()).toEqual(set);
      expect(await admin().expect(200, 'DELETE', CONFIG)).toBe('OK');
      expect(await admin().expect(200, 'DELETE', CONFIG)).toBe('OK');
      expect((await read()).targets).toEqual([]);
    });

    it('are in no list of notifications', async () => {
      await put([webhook(receiver.url('/unused'))]);
      const all = await admin().get<{ name: string }[]>('/actions/acme');
      expect(all.map(({ name }) => name)).not.toContain('api_key_expiry');
      await admin().refused(404, 'GET', '/actions/acme/0');
    });

    it('come once for each key that ends soon, of keys that are there and of new ones', async () => {
      const before = await account(DAY / 2, 10 * DAY, 20 * DAY);
      const path = `/${fresh('hook')}`;
      await put([webhook(receiver.url(path))]);
      const ofAccount = (name: string) =>
        receiver
          .at(path)
          .map(({ body }) => JSON.parse(body) as { event_type: string; api_key: { service_account: string } })
          .filter(({ api_key }) => api_key.service_account === name);
      const two = await eventually(
        () => Promise.resolve(ofAccount(before)),
        (some) => some.length >= 2,
      );
      expect(two).toMatchObject([
        { event_type: 'API_KEY_EXPIRING', api_key: { description: `in ${DAY / 2}` } },
        { event_type: 'API_KEY_EXPIRING', api_key: { description: `in ${10 * DAY}` } },
      ]);
      const after = await account(3 * DAY);
      await eventually(
        () => Promise.resolve(ofAccount(after)),
        (some) => some.length >= 1,
      );
      // The account with the new key was looked at after the others, which were announced already.
      expect([ofAccount(before).length, ofAccount(after).length]).toEqual([2, 1]);
      const key = await eventually(read, ({ last_notified_at }) => last_notified_at !== null);
      expect(key.targets).toMatchObject([{ type: 'WEBHOOK', webhook: '' }]);
      expect((await payloads(receiver, path, 3))[0]).toMatchObject({ environment: null, artifact: null });
    });

    it('refuse a missing target, an invalid target, a reference to a configuration and another type', async () => {
      const errorsOf = async (json: unknown) => (await admin().refused(400, 'PUT', CONFIG, { json })).errors;
      expect(await errorsOf({ targets: [] })).toEqual({ targets: 'Input should have at least one target' });
      expect(await errorsOf({ targets: [{ type: 'WEBHOOK' }] })).toHaveProperty(['targets.0.webhook']);
      expect(Object.keys((await errorsOf({ targets: [{ type: 'NESTED_CONFIG', config: 'x' }] })) ?? {})).toHaveLength(
        1,
      );
      expect(await errorsOf({ targets: [webhook('https://hooks.example.com')], scope: null })).toEqual({
        scope: 'Unknown property [input: null]',
      });
      const errors = { notification_type: "Input should be 'api_key_expiry' [input: other]" };
      for (const method of ['GET', 'DELETE'] as const) {
        expect((await admin().refused(400, method, '/notification-config/acme/other')).errors).toEqual(errors);
      }
      expect((await read()).targets).toEqual([]);
    });

    it('are for administrators alone', async () => {
      const json = { targets: [webhook('https://hooks.example.com')] };
      for (const role of ['member', 'snapshotter', 'reader'] as const) {
        await world().as(role).refused(403, 'GET', CONFIG);
        await world().as(role).refused(403, 'PUT', CONFIG, { json });
        await world().as(role).refused(403, 'DELETE', CONFIG);
      }
    });
  });
});
