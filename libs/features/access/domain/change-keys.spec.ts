import type { ApiKey, ApiKeyAdded, ApiKeyRevoked, ApiKeyRotated, UserEvent } from '@assurance/contracts/access/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { FIRST_AT, replayOf, STEP_MS } from '@assurance/testing/deciders/replay';
import { decideCreateKey, decideRevokeKey, decideRotateKey } from './change-keys';
import { KEYS_MAX } from './keys';
import { user, type User } from './user';

const replay = (events: readonly UserEvent[]) => replayOf(user)(events) as User;
const ada: UserEvent = { type: 'UserCreated', version: 1, data: { id: 'u1', name: 'ada', email: 'ada@example.com' } };
const key = (id: string, expiresAt = 0): ApiKey => ({ id, hash: `hash of ${id}`, description: 'laptop', expiresAt });
const added = (data: ApiKey): ApiKeyAdded => ({ type: 'ApiKeyAdded', version: 1, data });
const revoked = (id: string): ApiKeyRevoked => ({ type: 'ApiKeyRevoked', version: 1, data: { id } });
const rotated = (id: string, until: number, by: ApiKey): ApiKeyRotated => ({
  type: 'ApiKeyRotated',
  version: 1,
  data: { id, until, by },
});
const AT = FIRST_AT + 100 * STEP_MS;
const S = AT / 1_000;
const many = Array.from({ length: KEYS_MAX }, (_, i) => added(key(`k${i}`)));

describe('creating a key', () => {
  const spec = deciderSpec({ replay, decide: decideCreateKey });

  it('records it', () =>
    spec
      .given(ada)
      .when(key('k1'), { at: AT })
      .thenRecords(added(key('k1'))));
  it('that has expired already is refused', () =>
    spec.given(ada).when(key('k1', S), { at: AT }).thenRefuses({ kind: 'key-expired', expiresAt: S }));
  it('beyond the limit is refused, until one is revoked', () => {
    spec
      .given(ada, ...many)
      .when(key('k'), { at: AT })
      .thenRefuses({ kind: 'too-many-keys', limit: KEYS_MAX });
    spec
      .given(ada, ...many, revoked('k3'))
      .when(key('k'), { at: AT })
      .thenRecords(added(key('k')));
  });
});

describe('rotating a key', () => {
  const spec = deciderSpec({ replay, decide: decideRotateKey });
  const facts = { key: { id: 'k2', hash: 'hash of k2' }, at: AT };
  const ask = (graceHours: number, expiresAt: number | null = null) => ({ id: 'k1', graceHours, expiresAt });

  it('lets the old one work for the grace period', () =>
    spec
      .given(ada, added(key('k1')))
      .when(ask(24), facts)
      .thenRecords(rotated('k1', S + 86_400, key('k2'))));
  it('without grace ends the old one at once', () =>
    spec
      .given(ada, added(key('k1')))
      .when(ask(0), facts)
      .thenRecords(rotated('k1', S, key('k2'))));
  it('never extends the old key, and gives the new key the lifetime of the old one', () => {
    // The key was added at the time of the second event.
    const input = (FIRST_AT + STEP_MS) / 1_000;
    const old = key('k1', S + 60);
    spec
      .given(ada, added(old))
      .when(ask(24), facts)
      .thenRecords(rotated('k1', S + 60, key('k2', S + (S + 60 - input))));
    spec
      .given(ada, added(old))
      .when(ask(24, 0), facts)
      .thenRecords(rotated('k1', S + 60, key('k2', 0)));
  });
  it('to a time in the past is refused', () =>
    spec
      .given(ada, added(key('k1')))
      .when(ask(24, S - 1), facts)
      .thenRefuses({ kind: 'key-expired', expiresAt: S - 1 }));
  it.each([
    ['nobody knows', [ada]],
    ['was revoked', [ada, added(key('k1')), revoked('k1')]],
    ['was replaced and has had its time', [ada, added(key('k1')), rotated('k1', S, key('k0'))]],
  ] as const)('that %s is refused', (_, events) =>
    spec
      .given(...events)
      .when(ask(24), facts)
      .thenRefuses({ kind: 'key-unknown' }),
  );
});

describe('revoking a key', () => {
  const spec = deciderSpec({ replay, decide: decideRevokeKey });

  it('records it', () =>
    spec
      .given(ada, added(key('k1')))
      .when({ id: 'k1' })
      .thenRecords(revoked('k1')));
  it('again changes nothing', () =>
    spec
      .given(ada, added(key('k1')), revoked('k1'))
      .when({ id: 'k1' })
      .thenNothing());
  it('that does not exist is refused', () => spec.given(ada).when({ id: 'k1' }).thenRefuses({ kind: 'key-unknown' }));
});
