import type { AdministratorsEvent } from '@assurance/contracts/access/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import { decideAdminister } from './administer';
import { administrators, ADMINISTRATORS_MAX } from './administrators';

const spec = deciderSpec({ replay: replayOf(administrators, { key: 'o1' }), decide: decideAdminister });
const who = (user: string) => ({ user, userName: `name of ${user}`, source: 'app', changedBy: 'grace' }) as const;
const listed = (...users: string[]): AdministratorsEvent => ({
  type: 'AdministratorsListed',
  version: 1,
  data: { users },
});
const added = (user: string): AdministratorsEvent => ({ type: 'AdministratorAdded', version: 1, data: who(user) });
const removed = (user: string, role: 'reader' | null): AdministratorsEvent => ({
  type: 'AdministratorRemoved',
  version: 1,
  data: { ...who(user), role },
});
const none = { users: [] };

describe('administering an organization', () => {
  it('records one event to add an administrator and one to remove an administrator', () => {
    spec
      .given()
      .when({ ...who('u1'), role: 'admin' }, none)
      .thenRecords(added('u1'));
    spec
      .given(added('u1'))
      .when({ ...who('u2'), role: 'admin' }, none)
      .thenRecords(added('u2'));
    spec
      .given(added('u1'), added('u2'))
      .when({ ...who('u1'), role: 'reader' }, none)
      .thenRecords(removed('u1', 'reader'));
    spec
      .given(added('u1'), added('u2'))
      .when({ ...who('u1'), role: null }, none)
      .thenRecords(removed('u1', null));
  });

  it('refuses to remove the last administrator, or to change that role', () => {
    const refusal = { kind: 'last-admin' } as const;
    spec
      .given(added('u1'))
      .when({ ...who('u1'), role: null }, none)
      .thenRefuses(refusal);
    spec
      .given(added('u1'), added('u2'), removed('u2', null))
      .when({ ...who('u1'), role: 'reader' }, none)
      .thenRefuses(refusal);
    spec
      .given()
      .when({ ...who('u1'), role: 'reader' }, { users: ['u1'] })
      .thenRefuses(refusal);
  });

  it('starts from the memberships if the organization is older than the stream', () => {
    const users = ['u1', 'u2'];
    spec
      .given()
      .when({ ...who('u1'), role: null }, { users })
      .thenRecords(listed('u1', 'u2'), removed('u1', null));
    spec
      .given(listed('u1', 'u2'), removed('u1', null))
      .when({ ...who('u2'), role: null }, { users })
      .thenRefuses({ kind: 'last-admin' });
  });

  it('changes nothing for a user who is an administrator already, or who never was one', () => {
    spec
      .given(added('u1'))
      .when({ ...who('u1'), role: 'admin' }, none)
      .thenNothing();
    spec
      .given(added('u1'))
      .when({ ...who('u2'), role: 'reader' }, none)
      .thenNothing();
    spec
      .given()
      .when({ ...who('u2'), role: null }, { users: ['u1'] })
      .thenNothing();
  });

  it('limits the number of administrators', () => {
    const all = Array.from({ length: ADMINISTRATORS_MAX }, (_, i) => `u${i}`);
    spec
      .given(listed(...all))
      .when({ ...who('u'), role: 'admin' }, none)
      .thenRefuses({ kind: 'too-many', things: 'administrators', limit: ADMINISTRATORS_MAX });
  });
});
