import type { MemberAnswer } from '@assurance/contracts/access/answers/access';
import type { EnvironmentAnswer } from '@assurance/contracts/environments/answers/environment';
import { join } from 'node:path';
import { BOOTSTRAP, keyOf } from '../support/declared';
import { Place } from '../support/process';
import { artifact, digest, environment, flow, item, post, report } from '../support/samples';
import { worldOf } from '../support/world';

const KEY = /\b[A-Za-z0-9_-]{43}\b/g;

describe('a service that starts', () => {
  let place: Place;
  beforeEach(() => (place = new Place()));
  afterEach(() => place.clear());

  it('prints a first key once, with an organization', async () => {
    const first = place.start();
    const world = await worldOf({ url: await first.url() });
    const keys = new Set(first.out.match(KEY));
    expect(keys.size).toBe(1);
    const [key] = keys;
    const admin = world.withHeader(`Bearer ${key}`);
    await admin.expect(201, 'PUT', '/environments/admin', { json: { name: 'production', type: 'docker' } });
    await world.withHeader(`Bearer ${keyOf('admin')}`).refused(401, 'GET', '/environments/admin/production');
    expect(first.err).not.toContain(key);
    expect(await first.stop()).toBe(0);

    const second = place.start();
    const again = (await worldOf({ url: await second.url() })).withHeader(`Bearer ${key}`);
    expect(second.out).not.toMatch(KEY);
    expect(await again.get<EnvironmentAnswer>('/environments/admin/production')).toMatchObject({ name: 'production' });
    expect(await second.stop()).toBe(0);
  }, 60_000);

  it('applies the bootstrap file at every start, and changes nothing the second time', async () => {
    const env = {
      ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
      ASSURANCE_PORT: '0',
      ASSURANCE_PUBLIC_URL: 'https://assurance.example.com/base/',
    };
    const answersOf = async (url: string, paths: readonly string[]) => {
      const admin = (await worldOf({ url })).as('admin');
      return Promise.all(paths.map((path) => admin.get<unknown>(path)));
    };
    const first = place.start(env);
    const url = await first.url();
    expect(first.out).not.toMatch(KEY);
    const admin = (await worldOf({ url })).as('admin');
    const [name, flowName] = [await environment(admin), await flow(admin)];
    await post(admin, flowName, artifact(digest(name)));
    await report(admin, name, [item({ 'web:1': digest(name) })]);
    const paths = [
      `/environments/acme/${name}`,
      `/flows/acme/${flowName}`,
      `/snapshots/acme/${name}/-1`,
      '/repos/acme',
      '/deployments/acme?start_ts=0&end_ts=9999999999',
    ];
    const before = await answersOf(url, paths);
    expect(JSON.stringify(before)).toContain('https://assurance.example.com/base/api/v2/snapshots/acme/');
    expect(await first.stop()).toBe(0);
    for (let start = 2; start <= 3; start += 1) {
      const again = place.start(env);
      expect(await answersOf(await again.url(), paths)).toEqual(before);
      expect(await again.stop()).toBe(0);
    }
  }, 60_000);

  it('adds and changes roles from a changed file, and removes nothing', async () => {
    const first = place.start({ ASSURANCE_BOOTSTRAP_FILE: place.write('one.yaml', BOOTSTRAP) });
    const before = await worldOf({ url: await first.url() });
    await before.as('reader').refused(403, 'PUT', '/environments/acme', { json: { name: 'x', type: 'docker' } });
    expect(await first.stop()).toBe(0);
    const other = `
organizations:
  - name: acme
    members: []
    service_accounts: [{ name: ci-reader, privilege: member, description: "", api_keys: [{ key: another-key, description: "", expires_at: 0 }] }]
`;
    const second = place.start({ ASSURANCE_BOOTSTRAP_FILE: place.write('two.yaml', other) });
    const after = await worldOf({ url: await second.url() });
    await after.as('reader').expect(201, 'PUT', '/environments/acme', { json: { name: 'x', type: 'docker' } });
    await after.withHeader('Bearer another-key').get('/environments/acme/x');
    await after.as('admin').get('/environments/acme/x');
    expect(await second.stop()).toBe(0);
  }, 60_000);

  it('does not restore a removed member, unless the file changes or enforces it', async () => {
    const member = '{ user: user-reader, role: reader }';
    const rolesWith = async (yaml: string, act?: (url: string) => Promise<void>) => {
      const service = place.start({ ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', yaml) });
      const url = await service.url();
      const admin = (await worldOf({ url })).as('admin');
      const all = await admin.get<MemberAnswer[]>('/organizations/acme/members');
      await act?.(url);
      expect(await service.stop()).toBe(0);
      return Object.fromEntries(all.map(({ user, role }) => [user, role]));
    };
    const admin = async (url: string) => (await worldOf({ url })).as('admin');
    const path = '/organizations/acme/members/user-reader';
    expect(
      await rolesWith(BOOTSTRAP, async (url) => {
        await (await admin(url)).expect(200, 'DELETE', path);
        await (
          await admin(url)
        ).expect(200, 'PUT', '/organizations/acme/members/user-member', { json: { role: 'snapshotter' } });
      }),
    ).toMatchObject({ 'user-reader': 'reader', 'user-member': 'member' });
    // Another part of the file is new: those that are as they were stay as the administrator left them.
    const roles = await rolesWith(`${BOOTSTRAP}  - name: third\n`);
    expect([roles['user-reader'], roles['user-member']]).toEqual([undefined, 'snapshotter']);
    const file = BOOTSTRAP.replace(member, '{ user: user-reader, role: member }').replace(
      '{ user: user-member, role: member }',
      '{ user: user-member, role: member, enforce: true }',
    );
    const changed = await rolesWith(file);
    expect([changed['user-reader'], changed['user-member']]).toEqual(['member', 'member']);
  }, 240_000);

  it('refuses a file that leaves an organization without an administrator', async () => {
    const first = place.start({ ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP) });
    await first.url();
    expect(await first.stop()).toBe(0);
    const file = BOOTSTRAP.replace('{ user: user-admin, role: admin }', '{ user: user-admin, role: reader }');
    const second = place.start({ ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', file) });
    expect(await second.ended).toBe(1);
    expect(second.err).toContain("organization 'acme' would have no administrator if 'user-admin' were reader");
  }, 60_000);

  it('refuses a data folder that another process uses, and opens its own again', async () => {
    const first = place.start();
    await first.url();
    const second = place.start();
    expect(await second.ended).toBe(1);
    expect(second.err.trim().split('\n')).toEqual([expect.stringContaining(join(place.folder, 'data'))]);
    expect(second.out).not.toMatch(KEY);
    await first.kill();
    const third = place.start();
    await third.url();
    expect(await third.stop()).toBe(0);
  }, 60_000);
});
