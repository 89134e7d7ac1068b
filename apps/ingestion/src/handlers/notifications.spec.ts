import { PutFlow } from '@assurance/flows/write/put-flow';
import { err, ok } from '@assurance/kernel';
import { notification } from '@assurance/notifications/domain/notification';
import { ChangeKeyExpiry } from '@assurance/notifications/write/change-key-expiry';
import { ChangeNotification } from '@assurance/notifications/write/change-notification';
import { ChangeTargetConfig } from '@assurance/notifications/write/configs';
import { IssueSecret, type TargetOwner } from '@assurance/notifications/write/issue-secret';
import { PutNotification, type NotificationToPut } from '@assurance/notifications/write/put-notification';
import { atAcme } from '../testing/acme';

const acme = atAcme();
const mail = { type: 'EMAIL', emails: 'ops@acme.test' } as const;
const webhook = { type: 'WEBHOOK', webhook: 'https://hooks.acme.test/shop' } as const;
const put = (where: NotificationToPut) => acme().run(new PutNotification({ caller: acme().ada, where }));
const inputNamed = (name: string, fields: Partial<Extract<NotificationToPut, { kind: 'name' }>['input']> = {}) =>
  ({ kind: 'name', input: { name, triggers: ['ON_STARTED_ARTIFACT'], targets: [mail], ...fields } }) as const;
const stored = async (name: string) => {
  const results = await acme()
    .engines.documents.collection(notification.states)
    .find({ where: { org: acme().ada.org.id, deleted: false }, limit: 100 });
  const notificationDoc = results.find(({ doc }) => doc.name === name)?.doc;
  if (notificationDoc === undefined) throw new Error(`there is no notification ${name}`);
  return notificationDoc;
};

describe('PutNotificationHandler', () => {
  it('creates a notification, updates it, and records nothing for the same again', async () => {
    const result = await put(inputNamed('ops'));
    expect(result.answer).toEqual(ok('made'));
    expect(result.events).toEqual(['NotificationNumberTaken', 'NameClaimed', 'NotificationCreated']);
    const { number } = await stored('ops');
    const update = { kind: 'number', number, input: { targets: [{ ...mail, emails: 'on-call@acme.test' }] } } as const;
    expect(await put(update)).toEqual({ answer: ok('kept'), events: ['NotificationUpdated'] });
  });

  it('refuses an environment and a target configuration that do not exist', async () => {
    const environment = await put(inputNamed('nowhere', { environments: ['nobody'] }));
    expect(environment).toMatchObject({
      answer: err({ kind: 'invalid', errors: expect.objectContaining({}) }),
      events: [],
    });
    const config = await put(inputNamed('nowhere', { targets: [{ type: 'NESTED_CONFIG', config: 'nobody' }] }));
    const errors = { 'targets.0.config': "Target configuration 'nobody' does not exist" };
    expect(config).toEqual({ answer: err({ kind: 'invalid', errors }), events: [] });
  });

  it('creates a notification of flows, and refuses a flow that does not exist', async () => {
    await acme().run(new PutFlow({ caller: acme().ada, input: { name: 'notified' } }));
    const trails = inputNamed('trails', { type: 'flow', flows: ['notified'], triggers: ['ON_STARTED_TRAIL'] });
    expect((await put(trails)).events).toEqual(['NotificationNumberTaken', 'NameClaimed', 'NotificationCreated']);
    expect(await put(trails)).toEqual({ answer: ok('kept'), events: [] });
    const errors = { flows: "Flow 'nobody' does not exist" };
    const nowhere = inputNamed('nowhere', { type: 'flow', flows: ['nobody'] });
    expect(await put(nowhere)).toEqual({ answer: err({ kind: 'invalid', errors }), events: [] });
    expect(await put(inputNamed('trails'))).toMatchObject({ answer: err({ kind: 'invalid' }), events: [] });
  });

  it('refuses an unknown number', async () => {
    const { answer, events } = await put({ kind: 'number', number: 4711, input: { targets: [mail] } });
    expect(answer).toMatchObject(err({ kind: 'notification-unknown' }));
    expect(events).toEqual([]);
  });
});

describe('ChangeNotificationHandler', () => {
  const change = (number: number, text: 'delete' | 'test') =>
    acme().run(new ChangeNotification({ caller: acme().ada, number, change: text }));

  it('asks for a test of a notification each time', async () => {
    await put(inputNamed('tested'));
    const { number } = await stored('tested');
    for (let i = 0; i < 2; i += 1) {
      expect(await change(number, 'test')).toEqual({ answer: ok(null), events: ['NotificationTested'] });
    }
  });

  it('deletes a notification, and then does not know it', async () => {
    await put(inputNamed('deleted'));
    const { number } = await stored('deleted');
    expect(await change(number, 'delete')).toEqual({ answer: ok(null), events: ['NotificationDeleted'] });
    for (const text of ['delete', 'test'] as const) {
      expect(await change(number, text)).toMatchObject({ answer: err({ kind: 'notification-unknown' }), events: [] });
    }
  });
});

describe('ChangeKeyExpiryHandler', () => {
  const change = (targets: ChangeKeyExpiry['targets']) =>
    acme().run(new ChangeKeyExpiry({ caller: acme().ada, targets }));

  it('sets targets, deletes them once, and sets them again', async () => {
    expect(await change([mail])).toEqual({ answer: ok(null), events: ['NotificationCreated'] });
    expect(await change([mail])).toEqual({ answer: ok(null), events: [] });
    expect(await change([webhook])).toEqual({ answer: ok(null), events: ['NotificationUpdated'] });
    expect(await change(null)).toEqual({ answer: ok(null), events: ['NotificationDeleted'] });
    expect(await change(null)).toEqual({ answer: ok(null), events: [] });
    expect(await change([mail])).toEqual({ answer: ok(null), events: ['NotificationCreated'] });
  });

  it('refuses no target', async () => {
    expect(await change([])).toMatchObject({ answer: err({ kind: 'invalid' }), events: [] });
  });
});

describe('ChangeTargetConfigHandler', () => {
  const change = (name: string, targets: ChangeTargetConfig['targets']) =>
    acme().run(new ChangeTargetConfig({ caller: acme().ada, name, targets }));
  const unknown = (name: string) => err({ kind: 'target-config-unknown', name, org: 'acme' });

  it('creates a target configuration and replaces its targets', async () => {
    const result = await change('shared', [mail]);
    expect(result).toEqual({ answer: ok('made'), events: ['NameClaimed', 'TargetConfigCreated'] });
    const replaced = await change('shared', [{ ...mail, emails: 'on-call@acme.test' }]);
    expect(replaced).toEqual({ answer: ok('kept'), events: ['TargetConfigUpdated'] });
  });

  it('deletes a target configuration, and then does not know it', async () => {
    await change('short-lived', [mail]);
    expect((await change('short-lived', null)).events).toEqual(['TargetConfigDeleted']);
    expect(await change('short-lived', null)).toEqual({ answer: unknown('short-lived'), events: [] });
  });

  it('refuses to delete a target configuration that a notification uses', async () => {
    await change('used', [mail]);
    await put(inputNamed('user', { targets: [{ type: 'NESTED_CONFIG', config: 'used' }] }));
    expect(await change('used', null)).toMatchObject({
      answer: err({ kind: 'target-config-used', by: 'user' }),
      events: [],
    });
  });
});

describe('IssueSecretHandler', () => {
  const issue = (owner: TargetOwner, target: string) =>
    acme().run(new IssueSecret({ caller: acme().ada, owner, request: { target, grace: 60 } }));

  it('issues a secret, and another one while the first still signs', async () => {
    await put(inputNamed('signed', { targets: [webhook] }));
    const { number, targets } = await stored('signed');
    const target = targets[0]?.id ?? '';
    const first = await issue({ notification: number }, target);
    expect(first.answer).toMatchObject(ok({ secret: expect.stringMatching(/^whsec_/), previousUntil: null }));
    expect(first.events).toEqual(['SigningSecretIssued']);
    const second = await issue({ notification: number }, target);
    expect(second.answer).toMatchObject(ok({ previousUntil: expect.any(Number) }));
  });

  it('refuses a target that is no webhook, and keeps no secret', async () => {
    await put(inputNamed('mailed'));
    const { number, targets } = await stored('mailed');
    expect(await issue({ notification: number }, targets[0]?.id ?? '')).toMatchObject({
      answer: err({ kind: 'target-unsigned' }),
      events: [],
    });
  });

  it('refuses an unknown notification and an unknown target configuration', async () => {
    expect(await issue({ notification: 4711 }, 'nobody')).toEqual({
      answer: err({ kind: 'notification-unknown' }),
      events: [],
    });
    expect(await issue({ config: 'nobody' }, 'nobody')).toEqual({
      answer: err({ kind: 'target-config-unknown', name: 'nobody', org: 'acme' }),
      events: [],
    });
  });
});
