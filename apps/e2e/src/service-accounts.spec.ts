import type {
  ApiKeyAnswer,
  NewApiKey,
  RotatedApiKey,
  ServiceAccountAnswer,
} from '@assurance/contracts/access/answers/access';
import { ROLES, userKeyOf } from './support/declared';
import { eventually } from './support/eventually';
import { onOwnServices } from './support/world';

const FORBIDDEN = { message: "You don't have permission to access this resource" };
const LIST = '/service-accounts/acme';

onOwnServices((world) => {
  let number = 0;
  const create = async (fields: object = {}, role: (typeof ROLES)[number] = 'admin') => {
    const name = `robot-${(number += 1)}`;
    const json = { name, privilege: 'reader', ...fields };
    expect(await world().as(role).expect(201, 'POST', LIST, { json })).toMatchObject({
      name,
      privilege: json.privilege,
    });
    return `${LIST}/${name}`;
  };
  const key = (path: string, json: object = { description: 'build server' }) =>
    world().as('admin').expect<NewApiKey>(201, 'POST', `${path}/api-keys`, { json });
  const statusOf = async (secret: string) =>
    (await world().withHeader(`Bearer ${secret}`).send('GET', '/deployments/acme')).status;
  const until = (secret: string, status: number) =>
    eventually(
      () => statusOf(secret),
      (now) => now === status,
    );

  it('is created, shown, changed and deleted', async () => {
    const admin = world().as('admin');
    const path = await create({ privilege: 'member', description: 'reports', display_name: 'Robot' });
    const account = await admin.get<ServiceAccountAnswer>(path);
    expect(account).toEqual({
      name: path.slice(LIST.length + 1),
      display_name: 'Robot',
      privilege: 'member',
      description: 'reports',
      creating_user_id: expect.any(String),
      created_at: expect.any(Number),
      for_webhook: false,
    });
    expect(await admin.get<ServiceAccountAnswer[]>(LIST)).toContainEqual(account);
    const changed = { ...account, description: '', privilege: 'snapshotter' };
    const json = { description: '', privilege: 'snapshotter' };
    expect(await admin.expect(200, 'PATCH', path, { json })).toEqual(changed);
    expect(await admin.expect(200, 'PATCH', path, { json })).toEqual(changed);
    expect(await admin.get(path)).toEqual(changed);
    expect(await admin.expect(200, 'DELETE', path, { json: null })).toBe('OK');
    const refusal = { message: 'Service account not found' };
    expect(await admin.refused(404, 'GET', path)).toEqual(refusal);
    expect(await admin.refused(404, 'PATCH', path, { json: {} })).toEqual(refusal);
    expect(await admin.refused(404, 'DELETE', path)).toEqual(refusal);
    expect(await admin.refused(404, 'GET', `${path}/api-keys`)).toEqual(refusal);
    expect((await admin.get<ServiceAccountAnswer[]>(LIST)).map(({ name }) => name)).not.toContain(account.name);
    await admin.expect(201, 'POST', LIST, { json: { name: account.name, privilege: 'reader' } });
    expect(await admin.get(path)).toMatchObject({ privilege: 'reader', display_name: account.name });
  });

  it('answers with the whole account, and is a reader unless a privilege is given', async () => {
    const admin = world().as('admin');
    for (const privilege of [undefined, null]) {
      const json = { name: `robot-${(number += 1)}`, privilege };
      const answer = await admin.expect<ServiceAccountAnswer>(201, 'POST', LIST, { json });
      expect(answer).toMatchObject({ name: json.name, privilege: 'reader', description: '', for_webhook: false });
      expect(await admin.get(`${LIST}/${json.name}`)).toEqual(answer);
    }
  });

  it('is refused with a clear error', async () => {
    const admin = world().as('admin');
    const path = await create();
    const name = path.slice(LIST.length + 1);
    const error = async (json: unknown) => (await admin.refused(400, 'POST', LIST, { json })).errors;
    expect(await error({ name, privilege: 'reader' })).toHaveProperty('name');
    expect(await error({ name: 'no_underscore', privilege: 'reader' })).toHaveProperty('name');
    expect(await error({ name: 'x'.repeat(65), privilege: 'reader' })).toHaveProperty('name');
    expect(await error({ name: 'x', privilege: 'king' })).toHaveProperty('privilege');
    for (const odd of ['a_b', 'x'.repeat(65), '%20']) {
      expect(await admin.refused(400, 'GET', `${LIST}/${odd}`)).toMatchObject({
        message: expect.stringMatching(/^Input payload validation failed: /),
        errors: { name: expect.any(String) },
      });
    }
    expect(await admin.refused(404, 'GET', `${LIST}/nobody`)).toEqual({ message: 'Service account not found' });
    const personal = world().withHeader(`Bearer ${userKeyOf('admin')}`);
    await personal.refused(400, 'POST', '/service-accounts/user-admin', { json: { name: 'x', privilege: 'reader' } });
  });

  it.each(['a', '7', '-', 'Build-Robot-9', 'x'.repeat(64)])('may be called %s', async (name) => {
    const admin = world().as('admin');
    expect(await admin.refused(404, 'GET', `${LIST}/${name}`)).toEqual({ message: 'Service account not found' });
    await admin.expect(201, 'POST', LIST, { json: { name, privilege: 'reader' } });
    expect(await admin.get(`${LIST}/${name}`)).toMatchObject({ name });
  });

  it.each(['x'.repeat(65), 'a_b', 'a.b', 'a~b', 'a%20b', 'a%0A', '%C3%A4', 'a:b'])(
    'may not be called %s, not even in a path',
    async (name) => {
      const admin = world().as('admin');
      for (const method of ['GET', 'DELETE']) {
        expect(await admin.refused(400, method, `${LIST}/${name}`)).toEqual({
          message: expect.stringMatching(/^Input payload validation failed: /),
          errors: { name: expect.any(String) },
        });
      }
      const json = { name: decodeURIComponent(name), privilege: 'reader' };
      expect(Object.keys((await admin.refused(400, 'POST', LIST, { json })).errors ?? {})).toEqual(['name']);
    },
  );

  it('is visible to and managed by permitted roles only', async () => {
    const snapshotter = world().as('snapshotter');
    const own = await create({}, 'snapshotter');
    const foreign = await create();
    const mighty = await create({ privilege: 'admin' });
    expect((await snapshotter.get<ServiceAccountAnswer[]>(LIST)).map(({ name }) => name)).toEqual([
      own.slice(LIST.length + 1),
    ]);
    expect(await snapshotter.refused(403, 'GET', foreign)).toEqual(FORBIDDEN);
    expect(await world().as('reader').refused(403, 'GET', foreign)).toEqual(FORBIDDEN);
    const seen = (path: string) => world().as('member').get<ServiceAccountAnswer>(path);
    const [local, foreignView, other] = [await seen(own), await seen(foreign), await seen(mighty)];
    expect([local.privilege, foreignView.privilege, other.privilege]).toEqual(['reader', 'reader', 'admin']);
    expect(other.creating_user_id).toBe(foreignView.creating_user_id);
    expect(local.creating_user_id).not.toBe(foreignView.creating_user_id);
    const json = { description: 'mine' };
    expect(await world().as('member').refused(403, 'POST', `${mighty}/api-keys`, { json })).toEqual(FORBIDDEN);
    expect(
      await world()
        .as('member')
        .refused(403, 'PATCH', foreign, { json: { privilege: 'admin' } }),
    ).toEqual(FORBIDDEN);
    expect(await snapshotter.refused(403, 'POST', LIST, { json: { name: 'up', privilege: 'member' } })).toEqual(
      FORBIDDEN,
    );
    await snapshotter.expect(201, 'POST', `${own}/api-keys`, { json });
  });

  it('has keys that are shown once and work until they are revoked', async () => {
    const admin = world().as('admin');
    const path = await create();
    const { key: secret, ...keyFields } = await key(path);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await statusOf(secret)).toBe(200);
    const existing = await eventually(
      () => admin.get<ApiKeyAnswer>(`${path}/api-keys/${keyFields.id}`),
      ({ last_used_at }) => last_used_at > 0,
    );
    expect(existing).toEqual({ ...keyFields, last_used_at: expect.any(Number) });
    expect(Math.abs(existing.last_used_at - Date.now() / 1_000)).toBeLessThan(60);
    expect(await admin.get(`${path}/api-keys`)).toEqual([existing]);
    expect(await admin.get(`${path}/api-keys/${keyFields.id}`)).toEqual(existing);
    const answer = await admin.send('GET', `${path}/api-keys`);
    expect(answer.text).not.toContain(secret);
    expect(await admin.expect(200, 'DELETE', `${path}/api-keys/${keyFields.id}`)).toBe('revoked');
    expect(await until(secret, 401)).toBe(401);
    const unknown = { message: 'API key not found' };
    for (const [method, suffix] of [
      ['DELETE', ''],
      ['GET', ''],
      ['POST', '/rotate'],
    ] as const) {
      const sent = method === 'POST' ? { json: {} } : {};
      expect(await admin.refused(404, method, `${path}/api-keys/${keyFields.id}${suffix}`, sent)).toEqual(unknown);
    }
    expect(await admin.get(`${path}/api-keys`)).toEqual([]);
  });

  it('has keys that can be rotated, with or without a grace period', async () => {
    const admin = world().as('admin');
    const path = await create();
    const first = await key(path);
    const rotate = (id: string, json: object) =>
      admin.expect<RotatedApiKey>(201, 'POST', `${path}/api-keys/${id}/rotate`, { json });
    const second = await rotate(first.id, {});
    expect(second).toMatchObject({ description: 'build server', expires_at: 0 });
    expect(second.grace_period_expires_at).toBeGreaterThan(Date.now() / 1_000 + 86_000);
    expect([await statusOf(first.key), await statusOf(second.key)]).toEqual([200, 200]);
    const third = await rotate(second.id, { grace_period_hours: 0 });
    expect(await until(second.key, 401)).toBe(401);
    expect(await statusOf(third.key)).toBe(200);
    const ids = (await admin.get<ApiKeyAnswer[]>(`${path}/api-keys`)).map(({ id }) => id);
    expect(ids).toEqual([first.id, third.id]);
    await admin.refused(404, 'POST', `${path}/api-keys/${second.id}/rotate`, { json: {} });
    await admin.refused(400, 'POST', `${path}/api-keys`, { json: { description: 'late', expires_at: 5 } });
  });

  it('has no access after its deletion; its old keys stay invalid when it is created again', async () => {
    const path = await create();
    const { key: secret } = await key(path);
    expect(await statusOf(secret)).toBe(200);
    await world().as('admin').expect(200, 'DELETE', path);
    expect(await until(secret, 401)).toBe(401);
    await world()
      .as('admin')
      .expect(201, 'POST', LIST, { json: { name: path.slice(LIST.length + 1), privilege: 'reader' } });
    expect(await statusOf(secret)).toBe(401);
  });

  it('is not a person: users manage their own keys', async () => {
    const user = world().withHeader(`Bearer ${userKeyOf('reader')}`);
    const own = await user.expect<NewApiKey>(201, 'POST', '/user/api-keys', { json: { description: 'desk' } });
    expect(await statusOf(own.key)).toBe(200);
    const ids = async () => (await user.get<ApiKeyAnswer[]>('/user/api-keys')).map(({ id }) => id);
    expect(await ids()).toContain(own.id);
    const next = await user.expect<RotatedApiKey>(201, 'POST', `/user/api-keys/${own.id}/rotate`, {
      json: { grace_period_hours: 0 },
    });
    expect(await until(own.key, 401)).toBe(401);
    expect(await user.expect(200, 'DELETE', `/user/api-keys/${next.id}`)).toBe('revoked');
    expect(await until(next.key, 401)).toBe(401);
    expect(await world().as('admin').refused(403, 'GET', '/user/api-keys')).toEqual(FORBIDDEN);
    expect(
      await world()
        .as('admin')
        .refused(403, 'POST', '/user/api-keys', { json: { description: 'no person' } }),
    ).toEqual(FORBIDDEN);
  });
});
