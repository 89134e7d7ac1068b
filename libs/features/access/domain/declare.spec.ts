import type { ApiKeyAdded, MemberAdded, MembershipSource, Role } from '@assurance/contracts/access/events';
import type { DomainEvent } from '@assurance/contracts/events/event';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import {
  decideAddKey,
  decideDeclareOrganization,
  decideDeclareServiceAccount,
  decideDeclareUser,
  decideSetMember,
} from './declare';
import { membership } from './membership';
import { organization } from './organization';
import { serviceAccount } from './service-account';
import { user, type User } from './user';

// None of these decisions refuses. The gateway checks who may declare, and a declaration changes the state or is already true.
const event = <Type extends string, Data>(type: Type, data: Data): DomainEvent<Type, 1, Data> => ({
  type,
  version: 1,
  data,
});
const fresh = { id: 'new' };

describe('declaring an organization', () => {
  const spec = deciderSpec({ replay: replayOf(organization), decide: decideDeclareOrganization });
  const acme = { name: 'acme', personal: false };

  it('creates it', () =>
    spec
      .given()
      .when(acme, fresh)
      .thenRecords(event('OrganizationCreated', { id: 'new', ...acme })));
  it('again changes nothing', () => {
    spec
      .given(event('OrganizationCreated', { id: 'o1', ...acme }))
      .when(acme, fresh)
      .thenNothing();
  });
});

describe('declaring a user', () => {
  const spec = deciderSpec({ replay: replayOf(user), decide: decideDeclareUser });
  const ada = { name: 'ada', email: 'ada@example.com' };

  it('creates it', () =>
    spec
      .given()
      .when(ada, fresh)
      .thenRecords(event('UserCreated', { id: 'new', ...ada })));
  it('again changes nothing', () =>
    spec
      .given(event('UserCreated', { id: 'u1', ...ada }))
      .when(ada, fresh)
      .thenNothing());
});

describe('adding a key', () => {
  const existing = replayOf(user);
  const spec = deciderSpec({
    replay: (events: Parameters<typeof existing>[0]) => existing(events) as User,
    decide: decideAddKey,
  });
  const ada = event('UserCreated', { id: 'u1', name: 'ada', email: 'ada@example.com' });
  const key = { hash: 'h1', description: 'laptop', expiresAt: 0 };
  const added = (id: string, fields: typeof key): ApiKeyAdded => event('ApiKeyAdded', { id, ...fields });

  it('records it under a new id', () => {
    spec.given(ada).when(key, fresh).thenRecords(added('new', key));
    const other = { ...key, hash: 'h2' };
    spec.given(ada, added('k1', key)).when(other, fresh).thenRecords(added('new', other));
  });
  it('that exists changes nothing, even with another description', () => {
    spec
      .given(ada, added('k1', key))
      .when({ ...key, description: 'desk', expiresAt: 5 }, fresh)
      .thenNothing();
  });
});

describe('setting a member', () => {
  const spec = deciderSpec({ replay: replayOf(membership, { key: 'o1/u1' }), decide: decideSetMember });
  const ada = (role: Role, source: MembershipSource = 'script') => ({ user: 'u1', userName: 'ada', role, source });
  const added: MemberAdded = event('MemberAdded', ada('member'));

  it('adds one who is none', () => spec.given().when(ada('member')).thenRecords(added));
  it('to another role records both roles', () => {
    const raised = event('MemberRoleChanged', { ...ada('admin', 'app'), previousRole: 'member' as const });
    spec.given(added).when(ada('admin', 'app')).thenRecords(raised);
    spec
      .given(added, raised)
      .when(ada('reader'))
      .thenRecords(event('MemberRoleChanged', { ...ada('reader'), previousRole: 'admin' as const }));
  });
  it('to the same role changes nothing, whatever the source', () =>
    spec.given(added).when(ada('member', 'app')).thenNothing());
});

describe('declaring a service account', () => {
  const spec = deciderSpec({ replay: replayOf(serviceAccount), decide: decideDeclareServiceAccount });
  const ci = { name: 'ci', privilege: 'member', description: '' } as const;
  const created = event('ServiceAccountCreated', { id: 'new', ...ci });

  it('creates it', () => spec.given().when(ci, fresh).thenRecords(created));
  it('with another privilege records both', () => {
    spec
      .given(created)
      .when({ ...ci, privilege: 'reader' }, fresh)
      .thenRecords(
        event('ServiceAccountPrivilegeChanged', { privilege: 'reader' as const, previousPrivilege: 'member' as const }),
      );
  });
  it('again changes nothing', () =>
    spec
      .given(created)
      .when({ ...ci, description: 'other' }, fresh)
      .thenNothing());
});
