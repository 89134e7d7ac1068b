import type {
  NotificationCreated,
  NotificationEvent,
  NotificationNumbersEvent,
  Target,
  TargetConfigEvent,
} from '@assurance/contracts/notifications/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { FIRST_AT, replayOf } from '@assurance/testing/deciders/replay';
import { decideDeleteTargetConfig, decidePutTargetConfig } from './change-target-config';
import { decideDeleteNotification, decideTestNotification } from './delete-notification';
import { decideIssueSigningSecret } from './issue-signing-secret';
import { notification, type NotificationNumbers, notificationNumbers } from './notification';
import { decideTakeNumber } from './number-notifications';
import { decideCreateNotification, decideUpdateNotification } from './put-notification';
import { targetConfig } from './target-config';

const mail: Target = { id: 't1', type: 'EMAIL', emails: 'a@b.example' };
const hook: Target = { id: 't2', type: 'WEBHOOK', webhook: { id: 's1', last4: 'shop' }, payloadVersion: null };
const settings = { name: 'alerts', triggers: ['ON_STARTED_ARTIFACT'], targets: [mail, hook] } as const;
const created = (data: Partial<NotificationCreated['data']> = {}): NotificationCreated => ({
  type: 'NotificationCreated',
  version: 1,
  data: { number: 1, type: 'env', environments: [], ...settings, ...data },
});
const updated = (data: object) => ({ type: 'NotificationUpdated', version: 1, data }) as const;
const deleted = { type: 'NotificationDeleted', version: 1, data: {} } as const;
const unknown = { kind: 'notification-unknown' } as const;
const replay = replayOf(notification);

describe('creating a notification', () => {
  const spec = deciderSpec({ replay, decide: decideCreateNotification });

  it('makes it for no environment unless some are given', () => {
    spec.given().when(settings, { number: 1 }).thenRecords(created());
    spec
      .given()
      .when({ ...settings, environments: ['e1'] }, { number: 7 })
      .thenRecords(created({ number: 7, environments: ['e1'] }));
  });

  it('updates an existing notification, and changes nothing for equal values', () => {
    spec
      .given(created({ environments: ['e1'] }))
      .when(settings, { number: 1 })
      .thenNothing();
    spec
      .given(created())
      .when({ ...settings, triggers: [] }, { number: 1 })
      .thenRecords(updated({ triggers: [] }));
  });

  it('never restores a deleted notification', () => {
    spec.given(created(), deleted).when(settings, { number: 1 }).thenRefuses(unknown);
  });
});

describe('a notification of flows', () => {
  const creating = deciderSpec({ replay, decide: decideCreateNotification });
  const updating = deciderSpec({ replay, decide: decideUpdateNotification });
  const ofFlows = { ...settings, type: 'flow', triggers: ['ON_STARTED_TRAIL'] } as const;
  const createdWith = (flows: readonly string[]) => created({ ...ofFlows, environments: [], flows });

  it('is created for the given flows, none unless some are given', () => {
    creating.given().when(ofFlows, { number: 1 }).thenRecords(createdWith([]));
    creating
      .given()
      .when({ ...ofFlows, flows: ['f1'] }, { number: 1 })
      .thenRecords(createdWith(['f1']));
  });

  it('gets other flows, and changes nothing when all is as it was', () => {
    const afterCreation = creating.given(createdWith(['f1']));
    afterCreation.when({ ...ofFlows, flows: ['f2'] }, { number: 1 }).thenRecords(updated({ flows: ['f2'] }));
    afterCreation.when({ ...ofFlows, flows: ['f1'] }, { number: 1 }).thenNothing();
    afterCreation.when(ofFlows, { number: 1 }).thenNothing();
  });

  it('has a name that no notification of environments gets, and the reverse', () => {
    const conflict = { kind: 'name-taken', name: 'alerts' } as const;
    creating.given(createdWith([])).when(settings, { number: 1 }).thenRefuses(conflict);
    creating.given(created()).when(ofFlows, { number: 1 }).thenRefuses(conflict);
  });

  it('is unknown where notifications of environments are updated', () => {
    updating.given(createdWith([])).when({ targets: [] }, { isOwn: true }).thenRefuses(unknown);
  });
});

describe('updating a notification', () => {
  const spec = deciderSpec({ replay, decide: decideUpdateNotification });

  it('replaces targets, and keeps what is left out', () => {
    spec
      .given(created())
      .when({ targets: [] }, { isOwn: true })
      .thenRecords(updated({ targets: [] }));
    spec.given(created()).when({ targets: settings.targets }, { isOwn: true }).thenNothing();
  });

  it('renames where the name is its own', () => {
    spec
      .given(created())
      .when({ name: 'b' }, { isOwn: true })
      .thenRecords(updated({ name: 'b' }));
    spec.given(created()).when({ name: 'b' }, { isOwn: false }).thenRefuses({ kind: 'name-taken', name: 'b' });
  });

  it('needs an existing notification', () => {
    spec.given().when({ targets: [] }, { isOwn: true }).thenRefuses(unknown);
    spec.given(created(), deleted).when({ targets: [] }, { isOwn: true }).thenRefuses(unknown);
  });
});

describe('what is done with a notification', () => {
  const deleting = deciderSpec({ replay, decide: decideDeleteNotification });
  const testing = deciderSpec({ replay, decide: (state, _: null) => decideTestNotification(state) });

  it('deletes it once', () => {
    deleting.given(created()).when(null).thenRecords(deleted);
    deleting.given().when(null).thenRefuses(unknown);
    deleting.given(created(), deleted).when(null).thenRefuses(unknown);
  });

  it('deletes one of the type that the caller knows', () => {
    deleting.given(created()).when('env').thenRecords(deleted);
    deleting
      .given(created({ type: 'flow', flows: [] }))
      .when('env')
      .thenRefuses(unknown);
    deleting
      .given(created({ type: 'flow', flows: [] }))
      .when(null)
      .thenRecords(deleted);
  });

  it('tests it while it is there', () => {
    testing.given(created()).when(null).thenRecords({ type: 'NotificationTested', version: 1, data: {} });
    testing.given(created(), deleted).when(null).thenRefuses(unknown);
  });
});

describe('numbers', () => {
  const taken = (number: number) => ({ type: 'NotificationNumberTaken', version: 1, data: { number } }) as const;
  const numbers = replayOf(notificationNumbers);
  const spec = deciderSpec({
    replay: (events: readonly NotificationNumbersEvent[]) => numbers(events),
    decide: (state: NotificationNumbers | null, _: null) => decideTakeNumber(state),
  });

  it('only rise', () => {
    spec.given().when(null).thenRecords(taken(1));
    spec.given(taken(1), taken(2)).when(null).thenRecords(taken(3));
  });
});

describe('issuing a signing secret', () => {
  const spec = deciderSpec({
    replay: (events: readonly NotificationEvent[]) => replay(events) ?? { targets: [], signings: {} },
    decide: decideIssueSigningSecret,
  });
  const issued = (id: string, previousUntil: number | null) =>
    ({
      type: 'SigningSecretIssued',
      version: 1,
      data: { target: 't2', secret: { id, last4: 'wxyz' }, previousUntil },
    }) as const;
  const facts = (id: string) => ({ secret: { id, last4: 'wxyz' }, at: FIRST_AT });

  it('replaces the secret and keeps the previous one for a while', () => {
    spec.given(created()).when({ target: 't2', grace: 60 }, facts('k1')).thenRecords(issued('k1', null));
    const first = issued('k1', null);
    spec
      .given(created(), first)
      .when({ target: 't2', grace: 60 }, facts('k2'))
      .thenRecords(issued('k2', FIRST_AT + 60_000));
    spec.given(created(), first).when({ target: 't2', grace: 0 }, facts('k2')).thenRecords(issued('k2', null));
  });

  it('is for webhooks alone', () => {
    for (const target of ['t1', 'none']) {
      spec.given(created()).when({ target, grace: 60 }, facts('k1')).thenRefuses({ kind: 'target-unsigned', target });
    }
  });

  it('is kept with the previous secret and removed with its target', () => {
    const events = [created(), issued('k1', null), issued('k2', 5)];
    const previous = { secret: { id: 'k1', last4: 'wxyz' }, until: 5 };
    expect(replay(events)?.signings).toEqual({ t2: { secret: { id: 'k2', last4: 'wxyz' }, previous } });
    expect(replay([...events, updated({ targets: [mail] })])?.signings).toEqual({});
  });
});

describe('a target configuration', () => {
  const folded = replayOf(targetConfig);
  const creation: TargetConfigEvent = {
    type: 'TargetConfigCreated',
    version: 1,
    data: { id: 'c', name: 'on-call', targets: [] },
  };
  const deletion = { type: 'TargetConfigDeleted', version: 1, data: {} } as const;

  const putting = deciderSpec({ replay: folded, decide: decidePutTargetConfig });
  const deleting = deciderSpec({ replay: folded, decide: decideDeleteTargetConfig });

  it('is created, and gets other targets', () => {
    putting.given().when({ name: 'on-call', targets: [] }, { id: 'c' }).thenRecords(creation);
    putting.given(creation).when({ name: 'on-call', targets: [] }, { id: 'c' }).thenNothing();
    putting
      .given(creation)
      .when({ name: 'on-call', targets: [mail] }, { id: 'c' })
      .thenRecords({ type: 'TargetConfigUpdated', version: 1, data: { targets: [mail] } });
  });

  it('is deleted unless a notification refers to it', () => {
    const command = { name: 'on-call', org: 'acme' };
    deleting.given(creation).when(command, { usedBy: null }).thenRecords(deletion);
    deleting
      .given(creation)
      .when(command, { usedBy: 'alerts' })
      .thenRefuses({ kind: 'target-config-used', name: 'on-call', by: 'alerts' });
    const none = { kind: 'target-config-unknown', name: 'on-call', org: 'acme' } as const;
    deleting.given(creation, deletion).when(command, { usedBy: null }).thenRefuses(none);
    deleting.given().when(command, { usedBy: null }).thenRefuses(none);
  });
});
