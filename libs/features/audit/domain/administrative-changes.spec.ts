import { type AssuranceEvent, CODEC } from '@assurance/contracts/events/codec';
import { ADMINISTRATIVE_TYPES, administrativeChange, applyChange, changeType } from './administrative-changes';

/** Events that are no administrative changes: reports, consequences of other events, and actions of the service itself. */
const OTHERS = [
  'AdministratorsListed',
  'AdministratorAdded',
  'AdministratorRemoved',
  'DeclarationApplied',
  'NameClaimed',
  'AllowanceEnding',
  'ArtifactReported',
  'AttestationPayloadKept',
  'AttestationReported',
  'ComponentsListed',
  'FindingsListed',
  'TrailBegun',
  'TrailUpdated',
  'CheckpointSigned',
  'EvidenceDropped',
  'NotificationNumberTaken',
  'OrganizationCreated',
  'OrganizationErased',
  'ExternalIdentityAttached',
  'ExternalIdentityDetached',
  'ExternalIdentityLinked',
  'DefaultOrganizationChosen',
  'UserCreated',
  'UserRemoved',
  'RepoAbsorbed',
  'RepoJoined',
  'RepoRecorded',
  'RepoUpdated',
  'PolicyExceptionsEnded',
  'ReportMissed',
  'SnapshotRecorded',
  'SnapshotStateKept',
  'VerdictsKept',
  'VexStatementsListed',
  'VulnerabilitiesFound',
  'VulnerabilitiesListed',
  'VulnerabilityImportBegun',
];

const meta = (stream: string, seq = 1) => ({ org: 'o1', stream, seq, at: 1_000, actor: 'u1' });
const change = (stream: string, event: object) => {
  const result = administrativeChange({ version: 1, ...event } as AssuranceEvent, meta(stream));
  if (result === null) throw new Error('no change');
  return result;
};
const secret = { id: 'secret-1', last4: 'cdef' };

describe('administrative changes', () => {
  it('are known for every type of event, or the type is known to be none', () => {
    const all = Object.values(CODEC).flatMap((types) => Object.keys(types));
    expect([...ADMINISTRATIVE_TYPES, ...OTHERS].sort()).toEqual([...new Set(all)].sort());
  });

  it('do not include reports', () =>
    expect(
      administrativeChange({ type: 'SnapshotRecorded', version: 1, data: {} } as never, meta('environment/e1')),
    ).toBeNull());

  it('have names of types as other answers have them', () =>
    expect(changeType('ServiceAccountPrivilegeChanged')).toBe('service_account_privilege_changed'));

  it('show the values of changed fields before and after, and no other fields', () => {
    const data = { id: 'e1', name: 'prod', type: 'K8S', description: 'old', includeScaling: false };
    const created = change('environment/e1', { type: 'EnvironmentCreated', data });
    const first = applyChange(null, created);
    expect(first.shown).toEqual({
      name: 'prod',
      before: {},
      after: { type: 'K8S', description: 'old', include_scaling: false },
    });
    const updated = change('environment/e1', {
      type: 'EnvironmentUpdated',
      data: { description: 'new', includeScaling: false },
    });
    expect(applyChange(first.subject, updated).shown).toEqual({
      name: 'prod',
      before: { description: 'old' },
      after: { description: 'new' },
    });
  });

  const created = (stream: string, type: string, data: object) =>
    applyChange(null, change(stream, { type, data: { id: 'e1', name: 'prod', ...data } })).subject;

  it('go on under the new name after a rename', () => {
    const before = created('environment/e1', 'EnvironmentCreated', { type: 'K8S' });
    const renamed = (name: string, previousName: string) =>
      change('environment/e1', { type: 'EnvironmentRenamed', data: { name, previousName } });
    const first = applyChange(before, renamed('live', 'prod'));
    expect(first.shown).toEqual({ name: 'live', before: { name: 'prod' }, after: { name: 'live' } });
    const second = applyChange(first.subject, renamed('eu', 'live'));
    expect(second.shown).toEqual({ name: 'eu', before: { name: 'live' }, after: { name: 'eu' } });
  });

  it.each([
    [
      'a rename of a flow',
      'flow/e1',
      'FlowCreated',
      'FlowRenamed',
      { name: 'b', previousName: 'prod' },
      { name: 'prod' },
    ],
    [
      'a rename of a space',
      'spaces/o1',
      'SpaceCreated',
      'SpaceRenamed',
      { name: 'b', previousName: 'prod' },
      { name: 'prod' },
    ],
    ['a move', 'flow/e1', 'FlowCreated', 'FlowMoved', { space: 's2', previousSpace: 'root' }, { space_id: 'root' }],
    [
      'a move of a space',
      'spaces/o1',
      'SpaceCreated',
      'SpaceMoved',
      { parent: 's2', previousParent: 's1' },
      { parent_id: 's1' },
    ],
    ['an archive', 'flow/e1', 'FlowCreated', 'FlowArchived', {}, { archived: false }],
    ['an archive of a space', 'spaces/o1', 'SpaceCreated', 'SpaceArchived', {}, { archived: false }],
  ])('show the value before %s, also the first one', (_, stream, creation, type, data, before) => {
    const subject = created(stream, creation, { parent: 's1' });
    expect(applyChange(subject, change(stream, { type, data: { id: 'e1', ...data } })).shown.before).toEqual(before);
  });

  it('show all fields of a removed resource', () => {
    const data = { id: 'k1', description: 'laptop', expiresAt: 0, hash: 'f'.repeat(64) };
    const { subject } = applyChange(null, change('service-account/s1', { type: 'ApiKeyAdded', data }));
    const revoked = change('service-account/s1', { type: 'ApiKeyRevoked', data: { id: 'k1' } });
    expect(applyChange(subject, revoked).shown).toEqual({
      name: 'k1',
      before: { description: 'laptop', expires_at: 0, service_account_id: 's1' },
      after: {},
    });
  });

  it('show that a policy was attached and detached', () => {
    const data = { policy: { id: 'p1', name: 'strict' }, environment: 'prod' };
    const attached = applyChange(null, change('environment/e1', { type: 'PolicyAttached', data }));
    expect(attached.shown.after).toEqual({ 'policies.strict': 'p1' });
    const detached = applyChange(attached.subject, change('environment/e1', { type: 'PolicyDetached', data }));
    expect(detached.shown).toEqual({
      name: 'prod',
      before: { 'policies.strict': 'p1' },
      after: { 'policies.strict': null },
    });
    expect(detached.subject.fields).toEqual({});
  });

  it.each([
    ['a key', 'service-account/s1', 'ApiKeyAdded', { id: 'k', hash: 'SECRET', description: '', expiresAt: 0 }],
    [
      'a rotated key',
      'service-account/s1',
      'ApiKeyRotated',
      { id: 'k', until: 1, by: { id: 'l', hash: 'SECRET', description: '', expiresAt: 0 } },
    ],
    [
      'an invitation',
      'invitation/o1/a',
      'MemberInvited',
      { id: 'i', email: 'a@b.test', role: 'member', tokenHash: 'SECRET', expiresAt: 1, invitedBy: 'ada' },
    ],
    [
      'an accepted invitation',
      'invitation/o1/a',
      'InvitationAccepted',
      {
        id: 'i',
        user: 'u',
        userName: 'kim',
        email: 'a@b.test',
        role: 'member',
        invitedBy: 'ada',
        key: { id: 'k', hash: 'SECRET', description: '', expiresAt: 0 },
      },
    ],
    [
      'targets',
      'notification/o1/1',
      'NotificationCreated',
      {
        number: 1,
        type: 'env',
        name: 'n',
        environments: [],
        triggers: [],
        targets: [{ id: 't', type: 'WEBHOOK', webhook: { ...secret, id: 'SECRET' }, payloadVersion: null }],
      },
    ],
  ])('of %s hold no secret, nor its digest', (_, stream, type, data) =>
    expect(JSON.stringify(change(stream, { type, data }))).not.toContain('SECRET'),
  );

  it('hold the digest of a long value', () => {
    const set = change('policy/p1', { type: 'PolicyRevised', data: { version: 2, yaml: 'a'.repeat(2_000), rules: {} } })
      .set as Record<string, unknown>;
    expect(set).toEqual({
      version: 2,
      yaml: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string, characters: 2_002 },
    });
  });
});
