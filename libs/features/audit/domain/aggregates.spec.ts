import { CODEC } from '@assurance/contracts/events/codec';
import { aggregates } from './aggregates';

/**
 * The schema version of each kind, and the events that it knows, with their versions above 1. If the events change, the schema version must change.
 */
const SCHEMAS: Readonly<Record<string, readonly [fold: number, events: string]>> = {
  administrators: [1, 'AdministratorAdded AdministratorRemoved AdministratorsListed'],
  artifact: [1, 'ArtifactReported'],
  'attestation-type': [
    1,
    'AttestationTypeArchived AttestationTypeCreated AttestationTypeRevised AttestationTypeRevived',
  ],
  control: [1, 'ControlArchived ControlCreated ControlTagged ControlUnarchived ControlUpdated'],
  declaration: [1, 'DeclarationApplied'],
  environment: [
    9,
    'AllowanceEnded AllowanceEnding AllowanceRevised ArtifactAllowed EnvironmentArchived EnvironmentCreated EnvironmentMoved EnvironmentRenamed EnvironmentRevived EnvironmentTagged EnvironmentUpdated PolicyAttached PolicyDetached ReportMissed SnapshotRecorded SnapshotStateKept 2 VerdictsKept 2',
  ],
  'external-identity': [2, 'ExternalIdentityAttached ExternalIdentityDetached ExternalIdentityLinked'],
  flow: [2, 'FlowArchived FlowCreated FlowMoved FlowRenamed FlowRevived FlowTagged FlowUpdated'],
  invitation: [2, 'InvitationAccepted InvitationRevoked MemberInvited'],
  membership: [3, 'MemberAdded MemberRemoved MemberRoleChanged'],
  name: [1, 'NameClaimed'],
  notification: [
    2,
    'NotificationCreated NotificationDeleted NotificationTested NotificationUpdated SigningSecretIssued',
  ],
  'notification-numbers': [1, 'NotificationNumberTaken'],
  organization: [2, 'OrganizationCreated OrganizationErased'],
  policy: [2, 'PolicyCreated PolicyDescribed PolicyExceptionsEnded PolicyRevised'],
  repo: [2, 'RepoAbsorbed RepoJoined RepoRecorded RepoTagged RepoUpdated'],
  retention: [2, 'EvidenceDropped HoldPlaced HoldReleased RetentionSet'],
  'service-account': [
    2,
    'ApiKeyAdded ApiKeyRevoked ApiKeyRotated ServiceAccountCreated ServiceAccountDeleted ServiceAccountDescribed ServiceAccountPrivilegeChanged',
  ],
  spaces: [1, 'SpaceArchived SpaceCreated SpaceMoved SpaceRenamed SpaceRevived'],
  'target-config': [1, 'SigningSecretIssued TargetConfigCreated TargetConfigDeleted TargetConfigUpdated'],
  trail: [
    4,
    'ArtifactReported AttestationPayloadKept AttestationReported ComponentsListed FindingsListed TrailBegun TrailUpdated',
  ],
  exposure: [1, 'VulnerabilitiesFound'],
  vulnerabilities: [1, 'VexStatementsListed VulnerabilitiesImported VulnerabilitiesListed VulnerabilityImportBegun'],
  user: [3, 'ApiKeyAdded ApiKeyRevoked ApiKeyRotated DefaultOrganizationChosen UserCreated UserRemoved'],
};

describe('the kinds of streams', () => {
  it('are the aggregates of the codec, except checkpoints, which have no state', () => {
    expect([...aggregates.keys(), 'checkpoint'].sort()).toEqual(Object.keys(CODEC).sort());
  });

  it('are folded by another version once they hold other events, so that older instances do not go on from a state that they cannot fold', () => {
    const schemas = [...aggregates.values()].map(({ kind, schemaVersion: fold }) => {
      const events = Object.entries(CODEC[kind] ?? {}).map(([type, [newest]]) =>
        newest === 1 ? type : `${type} ${newest}`,
      );
      return [kind, [fold, events.sort().join(' ')]];
    });
    expect(Object.fromEntries(schemas)).toEqual(SCHEMAS);
  });
});
