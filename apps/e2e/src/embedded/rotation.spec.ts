import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Installation } from '../support/installation';
import type { Settings } from '../support/running';
import { worldOf } from '../support/world';

const NEXT = 'the next secret of this installation, long enough';

describe('an installation whose secret is changed', () => {
  let installation: Installation;
  beforeAll(() => {
    installation = new Installation();
  });
  afterAll(async () => {
    await installation.clear();
    expect(installation.log).toEqual([]);
  });

  const running = (secrets: Settings, use: (operate: Operate, url: string) => Promise<void>) =>
    installation.running(({ operator, url }) => use(async (name) => (await operator.run(name)).outcome, url), secrets);
  type Operate = (name: string) => Promise<unknown>;
  const resealed = (seen: number, again: number, unreadable = 0) =>
    expect.objectContaining({ ok: unreadable === 0, details: { seen, resealed: again, unreadable } });
  const verified = expect.objectContaining({ ok: true, details: expect.objectContaining({ faults: 0 }) });

  it('reads data of the old secret until everything is sealed and signed with the new one', async () => {
    const webhook = 'https://hooks.example.com/services/secret';
    const json = {
      name: 'hook',
      type: 'env',
      environments: [],
      triggers: ['ON_STARTED_ARTIFACT'],
      targets: [{ type: 'WEBHOOK', webhook }],
    };
    await running({}, async (operate, url) => {
      const admin = (await worldOf({ url })).as('admin');
      expect(await admin.expect(201, 'PUT', '/organizations/acme/environments_notifications', { json })).toBe('OK');
      await operate('checkpoint');
    });
    const old = readFileSync(join(installation.data, 'secret'), 'utf8').trim();

    await running({ ASSURANCE_SECRET: NEXT }, async (operate) => {
      expect(await operate('reseal-secrets')).toEqual(resealed(1, 0, 1));
      expect(await operate('verify')).toMatchObject({ ok: false });
    });
    await running({ ASSURANCE_SECRET: NEXT, ASSURANCE_PREVIOUS_SECRET: old }, async (operate, url) => {
      expect(await operate('verify')).toEqual(verified);
      expect(await operate('reseal-secrets')).toEqual(resealed(1, 1));
      expect(await operate('reseal-secrets')).toEqual(resealed(1, 0));
      const { body } = await (await worldOf({ url })).withHeader(null).send('GET', '/signing-keys');
      expect((body as { keys: { current: boolean }[] }).keys.map(({ current }) => current)).toEqual([true, false]);
      const admin = (await worldOf({ url })).as('admin');
      await admin.expect(201, 'PUT', '/organizations/acme/environments_notifications', {
        json: { ...json, name: 'second' },
      });
      await operate('checkpoint');
    });
    await running({ ASSURANCE_SECRET: NEXT }, async (operate) => {
      expect(await operate('verify')).toEqual(verified);
      expect(await operate('reseal-secrets')).toEqual(resealed(2, 0));
    });
  }, 120_000);
});
