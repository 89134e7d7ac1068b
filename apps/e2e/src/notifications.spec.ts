import type {
  NotificationAnswer,
  SigningSecretAnswer,
  TargetConfigAnswer,
} from '@assurance/contracts/notifications/answers/notification';
import type { Caller } from './support/caller';
import { environment, fresh } from './support/samples';
import { onEveryDeployment } from './support/world';

const ALL = '/organizations/acme/environments_notifications';
const CONFIGS = '/organizations/acme/notification_target_configs';
const URL = 'https://hooks.example.com/T0/B0/secret-part-of-the-path';
const hook = { type: 'WEBHOOK', webhook: URL };

onEveryDeployment((world) => {
  const member = () => world().as('member');
  const list = (caller: Caller) => caller.get<NotificationAnswer[]>(ALL);

  async function create(fields: Readonly<Record<string, unknown>> = {}): Promise<NotificationAnswer> {
    const name = fresh('alert');
    const json = { name, type: 'env', environments: [], triggers: ['ON_STARTED_ARTIFACT'], targets: [hook], ...fields };
    expect(await member().expect(201, 'PUT', ALL, { json })).toBe('OK');
    const result = (await list(member())).find((notification) => notification.name === (fields['name'] ?? name));
    if (result === undefined) throw new Error('it is not listed');
    return result;
  }
  const read = (number: number) => member().get<NotificationAnswer>(`${ALL}/${number}`);
  const put = (number: number | string, json: unknown) => member().expect(200, 'PUT', `${ALL}/${number}`, { json });

  it('are created, listed by number and read', async () => {
    const env = await environment(member());
    const first = await create({ environments: [env], triggers: ['ON_COMPLIANT_ENV', 'ON_COMPLIANT_ENV'] });
    const second = await create();
    expect(second.number).toBeGreaterThan(first.number);
    expect(first).toEqual({
      name: first.name,
      type: 'env',
      number: first.number,
      environments: [env],
      triggers: ['ON_COMPLIANT_ENV'],
      targets: [
        {
          id: expect.any(String) as string,
          type: 'WEBHOOK',
          webhook: '',
          webhook_hint: '****path',
          payload_version: null,
          signing_secret: null,
        },
      ],
      created_by: 'ci-member',
      is_created_from_slack_app: false,
      is_failing: false,
      created_at: first.created_at,
      last_modified_at: first.created_at,
    });
    expect(await read(first.number)).toEqual(first);
    expect((await world().as('reader').get<NotificationAnswer[]>(ALL)).length).toBeGreaterThan(0);
    const numbers = (await list(member())).map(({ number }) => number);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  });

  it('are updated by name or number, and do not change without a difference', async () => {
    const { name, number } = await create();
    const again = { name, triggers: ['ON_EXITED_ARTIFACT'], targets: [hook] };
    expect(await member().expect(200, 'PUT', ALL, { json: again })).toBe('OK');
    const changed = await read(number);
    expect(changed.triggers).toEqual(['ON_EXITED_ARTIFACT']);
    await put(number, { targets: [hook] });
    expect(await read(number)).toEqual(changed);
    await put(number, { targets: [{ type: 'EMAIL', emails: 'ops@example.com, dev@example.com' }] });
    const mailed = await read(number);
    expect(mailed.targets).toEqual([
      { id: expect.any(String) as string, type: 'EMAIL', emails: ['ops@example.com', 'dev@example.com'] },
    ]);
    expect([mailed.name, mailed.triggers]).toEqual([name, ['ON_EXITED_ARTIFACT']]);
    expect(mailed.last_modified_at).toBeGreaterThan(changed.last_modified_at);
  });

  it('take mail addresses as a list or as a text, and answer with a list', async () => {
    const emails = ['ops@example.com', 'dev@example.com'];
    for (const values of [emails, emails.join(', '), emails.join(',')]) {
      const { targets } = await create({ targets: [{ type: 'EMAIL', emails: values }] });
      expect(targets).toMatchObject([{ type: 'EMAIL', emails }]);
    }
  });

  it.each([
    ['EMAIL', { emails: ['ops@example.com'] }],
    ['WEBHOOK', { webhook: URL }],
    ['WEBHOOK', { webhook: 'https://hooks.slack.com/services/T0/B0/x', payload_version: '1.0' }],
    ['SLACK', { webhook: 'https://hooks.slack.com/services/T0/B0/x' }],
    ['SLACK', { webhook: URL, context: { team_id: 'T0', channel_id: 'C0', channel_name: 'ops' } }],
  ])('are %s where a target of this form has no type: %j', async (type, target) => {
    const { number, targets } = await create({ targets: [target] });
    expect(targets).toMatchObject([{ type }]);
    await put(number, { targets });
    expect((await read(number)).targets).toEqual(targets);
  });

  it('are the same under their newer path', async () => {
    const [name, actions] = [fresh('action'), '/actions/acme'];
    const json = { name, type: 'env', environments: [], triggers: ['ON_COMPLIANT_ENV'], targets: [hook] };
    const create = () => member().send('PUT', `${actions}/environments`, { json });
    expect([(await create()).status, (await create()).status]).toEqual([201, 200]);
    const listedNotification = (await list(member())).find((each) => each.name === name);
    const action = { ...listedNotification, flows: null };
    expect(await member().get(actions)).toContainEqual(action);
    const path = `${actions}/${listedNotification?.number}`;
    expect(await world().as('reader').get(path)).toEqual(action);
    for (const role of ['snapshotter', 'reader'] as const) {
      await world().as(role).refused(403, 'PUT', `${actions}/environments`, { json });
      await world().as(role).refused(403, 'DELETE', path, { json: null });
    }
    expect(await member().expect(200, 'DELETE', path, { json: null })).toBe('OK');
    for (const removedPath of [path, `${actions}/abc`, `${ALL}/${listedNotification?.number}`]) {
      expect(await member().refused(404, 'GET', removedPath)).toEqual({ message: 'Action not found' });
    }
  });

  it('accept their own answer as a request without loss', async () => {
    const slack = {
      type: 'SLACK',
      webhook: `${URL}-slack`,
      context: { team_id: 'T1', channel_id: 'C1', channel_name: 'ops' },
    };
    const app = { type: 'SLACK', context: { channel_id: 'C2' }, last_success_at: 1, last_failure_at: 2 };
    const before = await create({ targets: [{ ...hook, payload_version: '1.0' }, slack, app] });
    const targets = before.targets.map((target) =>
      'webhook' in target ? [target.webhook, target.webhook_hint] : target,
    );
    expect(targets).toEqual([
      ['', '****path'],
      ['', '****lack'],
      ['', null],
    ]);
    await put(before.number, { targets: before.targets });
    expect(await read(before.number)).toEqual(before);
    const bare = [{ type: 'WEBHOOK', payload_version: '1.0' }, { ...slack, webhook: '' }, app];
    await put(before.number, { targets: bare });
    expect(await read(before.number)).toEqual(before);
    for (const webhook of [undefined, null, '', '****path']) {
      const { errors } = await member().refused(400, 'PUT', `${ALL}/${before.number}`, {
        json: { targets: [hook, { type: 'WEBHOOK', webhook }] },
      });
      expect(Object.keys(errors ?? {})).toEqual(['targets.1.webhook']);
    }
  });

  it('keep their number for ever; their name becomes free', async () => {
    const { name, number } = await create();
    expect(await member().expect(200, 'DELETE', `${ALL}/${number}`)).toBe('OK');
    for (const [method, path, sent] of [
      ['GET', `${ALL}/${number}`, {}],
      ['DELETE', `${ALL}/${number}`, {}],
      ['PUT', `${ALL}/${number}`, { json: { targets: [] } }],
      ['POST', `${ALL}/${number}/test`, {}],
      ['GET', `${ALL}/${number}/deliveries`, {}],
      ['POST', `${ALL}/${number}/signing_secret`, { json: { target: 'x' } }],
    ] as const) {
      expect(await member().refused(404, method, path, sent)).toEqual({ message: 'Action not found' });
    }
    expect((await list(member())).map((notification) => notification.number)).not.toContain(number);
    expect((await create({ name })).number).toBeGreaterThan(number);
  });

  it.each(['0', '01', '999999', 'abc', '1.5', '9'.repeat(30)])(
    'that have no number %s are not found',
    async (number) => {
      expect(await member().refused(404, 'GET', `${ALL}/${number}`)).toEqual({ message: 'Action not found' });
      const json = { targets: [] };
      expect(await member().refused(404, 'PUT', `${ALL}/${number}`, { json })).toEqual({ message: 'Action not found' });
    },
  );

  it('follow environments that are renamed and archived', async () => {
    const env = await environment(member());
    const { number } = await create({ environments: [env] });
    const now = fresh('renamed');
    await member().expect(200, 'PUT', `/environments/acme/${env}/rename`, { json: { new_name: now } });
    expect((await read(number)).environments).toEqual([now]);
    const other = await environment(member());
    await put(number, { environments: [now, other], targets: [] });
    await member().expect(200, 'PUT', `/environments/acme/${now}/archive`);
    expect((await read(number)).environments).toEqual([now, other]);
    const json = { environments: ['no-such', now], targets: [] };
    const { errors } = await member().refused(400, 'PUT', `${ALL}/${number}`, { json });
    expect(errors).toEqual({ environments: "Environment 'no-such' does not exist" });
  });

  it('cannot have the name of another', async () => {
    const [created, otherCreated] = [await create(), await create()];
    const json = { name: otherCreated.name, targets: [] };
    expect(
      Object.keys((await member().refused(400, 'PUT', `${ALL}/${created.number}`, { json })).errors ?? {}),
    ).toEqual(['name']);
    const name = `${fresh('team')}/on-call`;
    await put(created.number, { name, targets: [] });
    expect((await read(created.number)).name).toBe(name);
    expect((await create({ name: created.name })).number).not.toBe(created.number);
  });

  it.each([
    ['targets', { targets: null }],
    ['targets', { targets: Array.from({ length: 11 }, () => hook) }],
    ['targets.0', { targets: [1] }],
    ['targets.0.type', { targets: [{ type: 'PAGER' }] }],
    ['targets.0.type', { targets: [{}] }],
    ['targets.1.webhook', { targets: [hook, { type: 'WEBHOOK' }] }],
    ['targets.0.webhook', { targets: [{ type: 'WEBHOOK', webhook: 'ftp://example.com' }] }],
    ['targets.0.webhook', { targets: [{ type: 'WEBHOOK', webhook: 'https://user:pw@' }] }],
    ['targets.0.webhook', { targets: [{ type: 'SLACK', webhook: null, context: null }] }],
    ['targets.0.context.channel', { targets: [{ type: 'SLACK', context: { channel: 'x' } }] }],
    ['targets.0.payload_version', { targets: [{ ...hook, payload_version: '2.0' }] }],
    ['targets.0.odd', { targets: [{ ...hook, odd: 1 }] }],
    ['targets.1.emails', { targets: [hook, { type: 'EMAIL', emails: 'nobody' }] }],
    ['targets.0.emails', { targets: [{ type: 'EMAIL', emails: 'a@b.example;c@d.example' }] }],
    ['targets.0.emails', { targets: [{ type: 'EMAIL', emails: 'Ops <a@b.example>' }] }],
    ['targets.0.emails', { targets: [{ type: 'EMAIL', emails: 'a@b.example\r\nBcc: c@d.example' }] }],
    ['targets.0.emails', { targets: [{ type: 'EMAIL', emails: [] }] }],
    ['targets.0.emails', { targets: [{ type: 'EMAIL', emails: ['a@b.example', 'nobody'] }] }],
    ['targets.0.emails', { targets: [{ type: 'EMAIL', emails: ['a@b.example,c@d.example'] }] }],
    ['targets.0.emails', { targets: [{ type: 'EMAIL', emails: [1] }] }],
    ['targets.0.type', { targets: [{ type: null, webhook: URL }] }],
    ['targets.0.config', { targets: [{ type: 'NESTED_CONFIG', config: 'no-such' }] }],
    ['targets.0.last_success_at', { targets: [{ ...hook, last_success_at: 'x' }] }],
    ['triggers.0', { targets: [], triggers: ['ON_FIRE'] }],
    ['type', { targets: [], type: 'flow' }],
    ['name', { targets: [], name: '-' }],
  ])('refuse %s in %j', async (field, json) => {
    const { number } = await create();
    const { message, errors } = await member().refused(400, 'PUT', `${ALL}/${number}`, { json });
    expect([message, Object.keys(errors ?? {})]).toEqual([
      expect.stringMatching(/^Input payload validation failed: /),
      [field],
    ]);
  });

  it('require a name, triggers and targets, and accept empty lists', async () => {
    const { errors } = await member().refused(400, 'PUT', ALL, { json: {} });
    expect(Object.keys(errors ?? {}).sort()).toEqual(['name', 'targets', 'triggers']);
    expect(await create({ targets: [], triggers: [] })).toMatchObject({ targets: [], triggers: [], is_failing: false });
  });

  it('show the secret of a webhook once', async () => {
    const { number, targets } = await create({ targets: [hook, { type: 'EMAIL', emails: 'a@example.com' }] });
    const path = `${ALL}/${number}/signing_secret`;
    const issue = (json: unknown) => member().expect<SigningSecretAnswer>(201, 'POST', path, { json });
    const first = await issue({ target: targets[0]?.id });
    expect(first).toEqual({
      target: targets[0]?.id,
      secret: expect.stringMatching(/^whsec_.{43}$/) as string,
      previous_valid_until: null,
    });
    expect((await read(number)).targets[0]).toMatchObject({ signing_secret: `****${first.secret.slice(-4)}` });
    const second = await issue({ target: targets[0]?.id, grace_seconds: 60 });
    expect(second.secret).not.toBe(first.secret);
    expect((second.previous_valid_until ?? 0) - Date.now() / 1000).toBeLessThan(61);
    for (const target of ['no-such', targets[1]?.id]) {
      const { errors } = await member().refused(400, 'POST', path, { json: { target } });
      expect(Object.keys(errors ?? {})).toEqual(['target']);
    }
    const tooLong = { target: targets[0]?.id, grace_seconds: 2_592_001 };
    expect(Object.keys((await member().refused(400, 'POST', path, { json: tooLong })).errors ?? {})).toEqual([
      'grace_seconds',
    ]);
  });

  it('of another organization are hidden', async () => {
    const { number } = await create();
    const forbidden = { message: "You don't have permission to access this resource" };
    expect(await world().withHeader('Bearer other-admin-key').refused(403, 'GET', `${ALL}/${number}`)).toEqual(
      forbidden,
    );
    const foreign = await world()
      .withHeader('Bearer other-admin-key')
      .get<NotificationAnswer[]>(ALL.replace('acme', 'other'));
    expect(foreign).toEqual([]);
  });

  describe('target configurations', () => {
    it('are shared by notifications, and can be removed when none refers to them', async () => {
      const name = fresh('config');
      expect(await member().expect(201, 'PUT', CONFIGS, { json: { name, targets: [hook] } })).toBe('OK');
      const { number, targets } = await create({ targets: [{ type: 'NESTED_CONFIG', config: name }] });
      expect(targets).toEqual([{ id: expect.any(String) as string, type: 'NESTED_CONFIG', config: name }]);
      const config = await member().get<TargetConfigAnswer>(`${CONFIGS}/${name}`);
      expect(config).toMatchObject({
        name,
        created_by: 'ci-member',
        targets: [{ type: 'WEBHOOK', webhook: '', webhook_hint: '****path' }],
      });
      expect(await member().get(CONFIGS)).toContainEqual(config);
      expect(await member().expect(200, 'PUT', CONFIGS, { json: { name, targets: config.targets } })).toBe('OK');
      expect(await member().get(`${CONFIGS}/${name}`)).toEqual(config);
      const { message } = await member().refused(400, 'DELETE', `${CONFIGS}/${name}`);
      expect(message).toContain(`Target configuration '${name}' is used by notification`);
      await put(number, { targets: [] });
      expect(await member().expect(200, 'DELETE', `${CONFIGS}/${name}`)).toBe('OK');
      const refusal = { message: `Target configuration '${name}' does not exist in organization 'acme'` };
      expect(await member().refused(404, 'GET', `${CONFIGS}/${name}`)).toEqual(refusal);
      expect(await member().refused(404, 'DELETE', `${CONFIGS}/${name}`)).toEqual(refusal);
      expect(await member().expect(201, 'PUT', CONFIGS, { json: { name, targets: [] } })).toBe('OK');
    });

    it('contain no other configurations, and sign like notifications', async () => {
      const name = fresh('config');
      const nested = { name, targets: [{ type: 'NESTED_CONFIG', config: 'x' }] };
      expect(Object.keys((await member().refused(400, 'PUT', CONFIGS, { json: nested })).errors ?? {})).toEqual([
        'targets.0.type',
      ]);
      await member().expect(201, 'PUT', CONFIGS, { json: { name, targets: [hook] } });
      const { targets } = await member().get<TargetConfigAnswer>(`${CONFIGS}/${name}`);
      const path = `${CONFIGS}/${name}/signing_secret`;
      const json = { target: targets[0]?.id };
      expect(await member().expect(201, 'POST', path, { json })).toMatchObject({ target: targets[0]?.id });
      await member().refused(404, 'POST', `${CONFIGS}/none/signing_secret`, { json });
    });
  });
});
