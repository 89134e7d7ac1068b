import { type Role, ROLES, type ServiceAccountCreated } from '@assurance/contracts/access/events';
import { deciderSpec } from '@assurance/testing/deciders/decider-spec';
import { replayOf } from '@assurance/testing/deciders/replay';
import {
  decideCreateServiceAccount,
  decideDeleteServiceAccount,
  decidePatchServiceAccount,
} from './change-service-account';
import { serviceAccount } from './service-account';

const replay = replayOf(serviceAccount);
// The actor of all events in this spec is `ada`.
const by = (role: Role, id = 'grace') => ({ id, role });
const ci = { name: 'ci', privilege: 'member', description: '' } as const;
const created = (privilege: Role = 'member'): ServiceAccountCreated => ({
  type: 'ServiceAccountCreated',
  version: 1,
  data: { id: 's1', ...ci, privilege },
});
const deleted = { type: 'ServiceAccountDeleted', version: 1, data: {} } as const;

describe('creating a service account', () => {
  const spec = deciderSpec({ replay, decide: decideCreateServiceAccount });
  const facts = (role: Role) => ({ id: 's1', by: by(role) });

  it('records it', () => spec.given().when(ci, facts('member')).thenRecords(created()));
  it('again after it was deleted records it anew', () =>
    spec.given(created(), deleted).when(ci, facts('admin')).thenRecords(created()));
  it('of a name that is taken is refused', () => spec.given(created()).when(ci, facts('admin')).thenRefuses('exists'));
  it('grants at most the role of the creator, and that of an auditor by an admin alone', () => {
    const granted: Record<Role, readonly Role[]> = {
      admin: ['admin', 'member', 'snapshotter', 'auditor', 'reader'],
      member: ['member', 'snapshotter', 'reader'],
      snapshotter: ['snapshotter', 'reader'],
      auditor: [],
      reader: [],
    };
    for (const role of ROLES) {
      for (const privilege of ROLES) {
        const request = spec.given().when({ ...ci, privilege }, facts(role));
        if (granted[role].includes(privilege)) request.thenRecords(created(privilege));
        else request.thenRefuses('forbidden');
      }
    }
  });
});

describe('patching a service account', () => {
  const spec = deciderSpec({ replay, decide: decidePatchServiceAccount });

  it('records what changed', () =>
    spec
      .given(created())
      .when({ description: 'reports', displayName: 'ci', privilege: 'reader' }, { by: by('admin') })
      .thenRecords(
        { type: 'ServiceAccountDescribed', version: 1, data: { description: 'reports' } },
        {
          type: 'ServiceAccountPrivilegeChanged',
          version: 1,
          data: { privilege: 'reader', previousPrivilege: 'member' },
        },
      ));
  it('to the same values changes nothing', () =>
    spec
      .given(created())
      .when({ description: '', privilege: 'member' }, { by: by('admin') })
      .thenNothing());
  it.each([
    ['by whom it is mightier than', [created('admin')], by('member'), 'forbidden'],
    ['of another, by a snapshotter', [created('reader')], by('snapshotter'), 'forbidden'],
    ['of an auditor, by a member', [created('auditor')], by('member'), 'forbidden'],
    ['by an auditor', [created('reader')], by('auditor'), 'forbidden'],
    ['by a reader who made it', [created('reader')], by('reader', 'ada'), 'forbidden'],
    ['that is not there', [], by('admin'), 'unknown'],
    ['that was deleted', [created(), deleted], by('admin'), 'unknown'],
  ] as const)('%s is refused', (_, events, manager, refusal) =>
    spec
      .given(...events)
      .when({ description: 'mine' }, { by: manager })
      .thenRefuses(refusal),
  );
  it.each(['admin', 'auditor'] as const)('to %s, which its manager may not grant, is refused', (privilege) =>
    spec
      .given(created('reader'))
      .when({ privilege }, { by: by('member') })
      .thenRefuses('forbidden'),
  );
  it('by the snapshotter who made it is recorded', () =>
    spec
      .given(created('reader'))
      .when({ description: 'mine' }, { by: by('snapshotter', 'ada') })
      .thenRecords({ type: 'ServiceAccountDescribed', version: 1, data: { description: 'mine' } }));
});

describe('deleting a service account', () => {
  const spec = deciderSpec({ replay, decide: decideDeleteServiceAccount });

  it('records it', () =>
    spec
      .given(created())
      .when({}, { by: by('admin') })
      .thenRecords(deleted));
  it('again is refused, because it no longer exists', () =>
    spec
      .given(created(), deleted)
      .when({}, { by: by('admin') })
      .thenRefuses('unknown'));
  it('with a higher privilege than the caller is refused', () =>
    spec
      .given(created('admin'))
      .when({}, { by: by('member') })
      .thenRefuses('forbidden'));
});
