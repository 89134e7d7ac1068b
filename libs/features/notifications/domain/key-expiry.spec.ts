import type { NotificationCreated, Target } from '@assurance/contracts/notifications/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { FIRST_AT, replayOf } from '@assurance/testing/deciders/replay';
import { decideDeleteKeyExpiry, decidePutKeyExpiry, keyExpiryProjections, noticeDue } from './key-expiry';
import { notification } from './notification';

const mail: Target = { id: 't1', type: 'EMAIL', emails: 'a@b.example' };
const other: Target = { ...mail, emails: 'c@d.example' };
const created: NotificationCreated = {
  type: 'NotificationCreated',
  version: 1,
  data: { number: 0, type: 'api_key_expiry', name: 'api_key_expiry', environments: [], triggers: [], targets: [mail] },
};
const deleted = { type: 'NotificationDeleted', version: 1, data: {} } as const;
const replay = replayOf(notification);

describe('where warnings of ending keys go', () => {
  const putting = deciderSpec({ replay, decide: decidePutKeyExpiry });
  const deleting = deciderSpec({ replay, decide: (state, _: null) => decideDeleteKeyExpiry(state) });

  it('is set, and set again after it was deleted', () => {
    putting
      .given()
      .when({ targets: [mail] })
      .thenRecords(created);
    putting
      .given(created, deleted)
      .when({ targets: [mail] })
      .thenRecords(created);
  });

  it('is replaced, and the same changes nothing', () => {
    putting
      .given(created)
      .when({ targets: [other] })
      .thenRecords({ type: 'NotificationUpdated', version: 1, data: { targets: [other] } });
    putting
      .given(created)
      .when({ targets: [mail] })
      .thenNothing();
  });

  it('needs a target', () => {
    const errors = { targets: 'Input should have at least one target' };
    putting.given(created).when({ targets: [] }).thenRefuses({ kind: 'invalid', errors });
  });

  it('is deleted once', () => {
    deleting.given(created).when(null).thenRecords(deleted);
    deleting.given(created, deleted).when(null).thenNothing();
    deleting.given().when(null).thenNothing();
  });

  it('tells which organizations to look at', () => {
    const docs = (...events: Parameters<typeof replay>[0]) => {
      const state = replay(events);
      return state === null ? null : keyExpiryProjections(state).map(({ doc }) => doc);
    };
    expect(docs(created)).toEqual([{ org: expect.any(String) as string }]);
    expect(docs(created, deleted)).toEqual([null]);
    expect(docs({ ...created, data: { ...created.data, number: 1, type: 'env' } })).toEqual([]);
  });
});

describe('an API key', () => {
  const DAY = 24 * 3600;
  const now = Math.floor(FIRST_AT / 1000) * 1000;
  const endsIn = (seconds: number) => ({ expiresAt: now / 1000 + seconds });
  const notice = (seconds: number, days: 14 | 1) => ({ ...endsIn(seconds), days });

  it.each([
    ['far from its end', 14 * DAY + 1, null, null],
    ['14 days before', 14 * DAY, null, 14],
    ['between, announced already', 5 * DAY, 14, null],
    ['a day before', DAY, 14, 1],
    ['a day before, never announced', DAY, null, 1],
    ['in its last day, announced already', 60, 1, null],
    ['in its last second', 1, 14, 1],
    ['at its end', 0, null, null],
    ['after its end', -1, 14, null],
  ] as const)('%s', (_, left, announced, due) => {
    const before = announced === null ? null : notice(left, announced);
    expect(noticeDue(endsIn(left), before, now)).toBe(due);
  });

  it('with another end is announced anew', () => {
    expect(noticeDue(endsIn(10 * DAY), notice(3 * DAY, 1), now)).toBe(14);
  });

  it.each([{ expiresAt: 0 }, { ...endsIn(60), revoked: true }, { ...endsIn(60), replaced: true }] as const)(
    'is not announced: %j',
    (key) => {
      expect(noticeDue(key, null, now)).toBeNull();
    },
  );
});
