import type { NotificationAnswer } from '@assurance/contracts/notifications/answers/notification';
import { TRIGGERS } from '@assurance/contracts/notifications/events';
import { environment, fresh } from './support/samples';
import { onEveryDeployment } from './support/world';

const ALL = '/organizations/acme/environments_notifications';
const hook = { type: 'WEBHOOK', webhook: 'https://hooks.example.com/T0/B0/path' };

/** Specification 4.2, field by field. */
onEveryDeployment((world) => {
  const member = () => world().as('member');
  const path = (number: number) => `${ALL}/${number}`;
  const put = (number: number, json: object) => member().expect(200, 'PUT', path(number), { json });
  const read = (number: number) => member().get<NotificationAnswer>(path(number));
  let number: number;
  beforeAll(async () => {
    const name = fresh('alert');
    await member().expect(201, 'PUT', ALL, { json: { name, triggers: [], targets: [] } });
    number =
      (await member().get<NotificationAnswer[]>(ALL)).find((notification) => notification.name === name)?.number ?? 0;
  });
  const refusal = async (json: object) => {
    const { message, errors } = await member().refused(400, 'PUT', path(number), { json });
    expect(message).toMatch(/^Input payload validation failed: /);
    return errors;
  };

  it('accepts all fields at once, and answers with a string', async () => {
    const [firstEnv, secondEnv] = [await environment(member()), await environment(member())];
    const config = fresh('config');
    await member().expect(201, 'PUT', '/organizations/acme/notification_target_configs', {
      json: { name: config, targets: [hook] },
    });
    const targets = [
      { type: 'SLACK', webhook: hook.webhook },
      { type: 'TEAMS', webhook: hook.webhook },
      hook,
      { type: 'EMAIL', emails: 'ops@example.com' },
      { type: 'NESTED_CONFIG', config },
    ];
    const fields = {
      name: fresh('all'),
      environments: [firstEnv, secondEnv],
      triggers: ['ON_EXITED_ARTIFACT'],
      type: 'env',
    };
    expect(await put(number, { ...fields, targets })).toBe('OK');
    const stored = await read(number);
    expect(stored).toMatchObject(fields);
    expect(stored.targets.map(({ type }) => type)).toEqual(['SLACK', 'TEAMS', 'WEBHOOK', 'EMAIL', 'NESTED_CONFIG']);
  });

  it.each(['a@example.com;b@example.com', 'Ops <ops@example.com>', 'ops', 'a@example.com b@example.com', ''])(
    'says how mail addresses are written where it gets %j',
    async (emails) => {
      const targets = [{ type: 'EMAIL', emails }];
      expect((await refusal({ name: fresh('mail'), targets }))?.['targets.0.emails']).toContain(
        'a list of mail addresses, or a text with commas between them',
      );
    },
  );

  it('accepts each trigger, and all together', async () => {
    expect([...TRIGGERS].sort()).toEqual([
      'ON_ALLOWED_ARTIFACT',
      'ON_COMPLIANT_ENV',
      'ON_EXITED_ARTIFACT',
      'ON_NON_COMPLIANT_ENV',
      'ON_SCALED_ARTIFACT',
      'ON_STALE_ENV',
      'ON_STARTED_ARTIFACT',
      'ON_VULNERABLE_ENV',
    ]);
    for (const triggers of [...TRIGGERS.map((trigger) => [trigger]), TRIGGERS]) {
      await put(number, { triggers, targets: [] });
      expect((await read(number)).triggers).toEqual(triggers);
    }
    for (const trigger of ['on_started_artifact', 'STARTED_ARTIFACT', '', null, 1]) {
      expect(await refusal({ triggers: ['ON_EXITED_ARTIFACT', trigger], targets: [] })).toHaveProperty(['triggers.1']);
    }
    expect(await refusal({ triggers: 'ON_EXITED_ARTIFACT', targets: [] })).toHaveProperty('triggers');
  });

  it.each(['a', '0', 'Z', 'a-b_c.d~e/f', '9/', 'a'.repeat(50)])('may be called %s', async (name) => {
    await put(number, { name, targets: [] });
    expect((await read(number)).name).toBe(name);
  });

  it.each(['', '-a', '_a', '.a', '~a', '/a', 'a b', 'a\\b', 'a]', 'ä', 'aä', 'a\n', ' a', 'a:b'])(
    'may not be called %j',
    async (name) => {
      expect(await refusal({ name, targets: [] })).toEqual({
        name: `String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\-_\\.~/]*$' [input: ${name}]`,
      });
    },
  );

  it('requires a list of targets, which may be empty, and names of environments', async () => {
    expect(await refusal({ name: fresh('alert') })).toEqual({ targets: 'Field required' });
    expect(await refusal({ targets: 'hook' })).toHaveProperty('targets');
    expect(await refusal({ targets: [], environments: 'production' })).toHaveProperty('environments');
    expect(await refusal({ targets: [], environments: [1] })).toHaveProperty(['environments.0']);
    expect(await refusal({ targets: [], type: 'flow' })).toHaveProperty('type');
    await put(number, { targets: [], environments: [], type: 'env' });
    expect(await read(number)).toMatchObject({ targets: [], environments: [], type: 'env' });
  });

  it('accepts each field of a Slack target, and only texts', async () => {
    const context = { channel_id: 'C1', channel_name: 'ops', team_id: 'T1' };
    const slack = { ...hook, type: 'SLACK', last_success_at: 1.5, last_failure_at: 2, context };
    await put(number, { targets: [slack] });
    expect((await read(number)).targets).toEqual([
      { id: expect.any(String) as string, type: 'SLACK', webhook: '', webhook_hint: '****path', context },
    ]);
    for (const [field, wrong] of [
      ['webhook', { webhook: 1 }],
      ['last_success_at', { last_success_at: 'now' }],
      ['last_failure_at', { last_failure_at: true }],
      ['context', { context: 'C1' }],
      ['context.channel_id', { context: { ...context, channel_id: 1 } }],
      ['context.channel_name', { context: { ...context, channel_name: [] } }],
      ['context.team_id', { context: { ...context, team_id: {} } }],
      ['colour', { colour: 'red' }],
    ] as const) {
      expect(Object.keys((await refusal({ targets: [{ ...slack, ...wrong }] })) ?? {})).toEqual([`targets.0.${field}`]);
    }
    expect(await refusal({ targets: [{ ...slack, type: 'slack' }] })).toEqual({
      'targets.0.type': "Input should be 'SLACK', 'WEBHOOK', 'EMAIL', 'TEAMS', 'NESTED_CONFIG' [input: slack]",
    });
  });

  it('accepts a Teams target with a URL alone, shows the end of that, and keeps it', async () => {
    const webhook = 'https://prod-1.westus.logic.azure.com:443/workflows/1/triggers/manual?sig=planted';
    await put(number, { targets: [{ type: 'TEAMS', webhook }] });
    const { targets } = await read(number);
    expect(targets).toEqual([
      { id: expect.any(String) as string, type: 'TEAMS', webhook: '', webhook_hint: '****nted' },
    ]);
    await put(number, { targets });
    await put(number, { targets: [{ type: 'TEAMS' }] });
    expect((await read(number)).targets).toEqual(targets);
    expect(Object.keys((await refusal({ targets: [{ type: 'TEAMS', webhook, context: null }] })) ?? {})).toEqual([
      'targets.0.context',
    ]);
    await put(number, { targets: [] });
    expect(await refusal({ targets: [{ type: 'TEAMS' }] })).toHaveProperty(['targets.0.webhook']);
  });
});
