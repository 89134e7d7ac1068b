import { streams } from '@assurance/contracts-events';
import { CLOCK, type Clock, IDS, type Ids, PORTS, type Ports, type Role } from '@assurance/http';
import { judgingItems } from '@assurance/work-queue';
import { Evaluator } from '@assurance/evaluator';
import { environmentActivity, type SecretDocument, secrets } from '@assurance/model';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Activity } from './environments/activity';
import { ApplyBootstrap } from './access/apply-bootstrap';
import { ControlVersions } from './attestations/control-versions';
import { CustomTypes } from './attestations/custom-types';
import { JudgeCustom } from './attestations/judge-custom';
import { ReadFile } from './core/read-file';
import { AttestHandler } from './attestations/attest';
import { BeginTrailHandler } from './flows/begin-trail';
import { ArchiveAttestationTypeHandler } from './standards/archive-attestation-type';
import { ChangeControlHandler } from './standards/change-control';
import { ChangeEnvironmentHandler } from './environments/change-environment';
import { ChangeFlowHandler } from './flows/change-flow';
import { ChangeKeysHandler } from './access/change-keys';
import { Invitations } from './access/invitations';
import { Joining } from './access/joining';
import { Memberships } from './access/memberships';
import { SignIns } from './access/sign-ins';
import { ChangeMemberHandler } from './access/change-member';
import { ChangeServiceAccountHandler } from './access/change-service-account';
import { ChooseDefaultHandler } from './access/choose-default';
import { CreateOrganizationHandler, Organizations } from './access/create-organization';
import { AcceptInvitationHandler, InviteHandler, RevokeInvitationHandler } from './access/invite';
import { CreateControlHandler } from './standards/create-control';
import { PostAttestationTypeHandler } from './standards/post-attestation-type';
import { PutEnvironmentHandler } from './environments/put-environment';
import { PutFlowHandler } from './flows/put-flow';
import { PutPolicyHandler } from './standards/put-policy';
import { ChangeRetentionHandler } from './retention/change-retention';
import { ChangeSpaceHandler } from './spaces/change-space';
import { PutSpaceHandler } from './spaces/put-space';
import { SignInHandler } from './access/sign-in';
import { ReportArtifactHandler } from './flows/report-artifact';
import { ReportRunningHandler } from './environments/report-running';
import { TagRepoHandler } from './flows/tag-repo';
import { AttestationTypesController } from './standards/attestation-types.controller';
import { ControlsController } from './standards/controls.controller';
import { AttestationsController } from './attestations/attestations.controller';
import { EnvironmentsController } from './environments/environments.controller';
import { FlowsController } from './flows/flows.controller';
import { ReportsController } from './environments/reports.controller';
import { TrailsController } from './flows/trails.controller';
import { NotificationsController } from './notifications/notifications.controller';
import { MembersController } from './access/members.controller';
import { NamingController } from './naming/naming.controller';
import { RetentionController } from './retention/retention.controller';
import { ServiceAccountsController } from './access/service-accounts.controller';
import { SignInController } from './access/sign-in.controller';
import { SpacesController } from './spaces/spaces.controller';
import { PoliciesController } from './standards/policies.controller';
import { UserController } from './access/user.controller';
import { Controls } from './standards/controls';
import { Declare } from './access/declare';
import { JudgingWorker } from './judging/judging-worker';
import { UniteMembers } from './judging/unite-members';
import { JudgeAgain } from './judging/judge-again';
import { JudgeNow } from './judging/judge-now';
import { Environments } from './core/environments';
import { GROUP } from './core/group';
import { AggregateStatesController, INGESTION_FEED } from './aggregate-states.controller';
import { MakeOrganization } from './operations/create-organization';
import { EraseOrganization } from './operations/erase-organization';
import { RemoveUser } from './operations/remove-user';
import { MoveBlobs } from './operations/move-blobs';
import { RebuildAggregateStates } from './operations/rebuild-states';
import { ResealSecrets } from './operations/reseal-secrets';
import { ListStoredBytes } from './operations/stored-bytes';
import { Verify } from './operations/verify';
import { Judgement } from './judging/judging';
import { MakeFlow } from './flows/make-flow';
import { Meanings } from './environments/meanings';
import { ChangeTargetConfigHandler } from './notifications/change-config';
import { ChangeNotificationHandler } from './notifications/change-notification';
import { TargetConfigs } from './notifications/configs';
import { IssueSecretHandler } from './notifications/issue-secret';
import { PutNotificationHandler } from './notifications/put-notification';
import { Secrets } from './notifications/secrets';
import { Policies } from './standards/policies';
import { Register } from './core/register';
import { ReportShortcut } from './environments/report-shortcut';
import { OrganizationLimits } from './core/organization-limits';
import { Repositories } from './flows/repositories';
import { Spaces } from './spaces/spaces';
import { Streams } from './core/streams';
import { Sweeping } from './sweep/sweeping';

@Module({
  imports: [CqrsModule],
  controllers: [
    AttestationTypesController,
    ControlsController,
    EnvironmentsController,
    ReportsController,
    FlowsController,
    NamingController,
    NotificationsController,
    PoliciesController,
    UserController,
    MembersController,
    RetentionController,
    ServiceAccountsController,
    SignInController,
    SpacesController,
    AggregateStatesController,
    TrailsController,
    AttestationsController,
  ],
  providers: [
    {
      provide: Streams,
      inject: [PORTS, CLOCK, IDS],
      useFactory: (ports: Ports, clock: Clock, ids: Ids) =>
        new Streams(ports, {
          now: () => clock.now(),
          id: () => ids.next(),
          random: () => (ids.random(1)[0] ?? 0) / 256,
        }),
    },
    Register,
    Environments,
    Policies,
    Spaces,
    Activity,
    Repositories,
    OrganizationLimits,
    Declare,
    Memberships,
    Joining,
    Invitations,
    SignIns,
    Organizations,
    JudgeAgain,
    Judgement,
    { provide: Evaluator, useFactory: () => new Evaluator() },
    Secrets,
    TargetConfigs,
    UniteMembers,
    { provide: Meanings, useFactory: () => new Meanings() },
    ReportShortcut,
    MakeFlow,
    { provide: CustomTypes, useClass: JudgeCustom },
    Controls,
    { provide: ControlVersions, useExisting: Controls },
    ApplyBootstrap,
    ReadFile,
    JudgingWorker,
    AttestHandler,
    JudgeNow,
    BeginTrailHandler,
    ArchiveAttestationTypeHandler,
    ChangeControlHandler,
    ChangeEnvironmentHandler,
    ChangeFlowHandler,
    ChangeNotificationHandler,
    ChangeTargetConfigHandler,
    ChangeKeysHandler,
    ChangeMemberHandler,
    ChangeServiceAccountHandler,
    ChooseDefaultHandler,
    CreateControlHandler,
    CreateOrganizationHandler,
    InviteHandler,
    RevokeInvitationHandler,
    AcceptInvitationHandler,
    SignInHandler,
    TagRepoHandler,
    PostAttestationTypeHandler,
    PutEnvironmentHandler,
    PutFlowHandler,
    IssueSecretHandler,
    PutNotificationHandler,
    PutPolicyHandler,
    PutSpaceHandler,
    ChangeRetentionHandler,
    ChangeSpaceHandler,
    ReportArtifactHandler,
    ReportRunningHandler,
    MakeOrganization,
    EraseOrganization,
    RemoveUser,
    RebuildAggregateStates,
    ResealSecrets,
    ListStoredBytes,
    MoveBlobs,
    Sweeping,
    Verify,
  ],
})
class IngestionModule {}

/** Every command: request, load, decide, commit. Stateless: any instance takes any command. */
export const ingestion: Role = {
  name: 'ingestion',
  module: IngestionModule,
  needs: ['events', 'documents', 'feed', 'blobs', 'relay'],
  consumes: [{ group: GROUP, transport: INGESTION_FEED }],
  operations: [
    RebuildAggregateStates,
    ResealSecrets,
    Verify,
    MakeOrganization,
    EraseOrganization,
    RemoveUser,
    ListStoredBytes,
    MoveBlobs,
  ],
  archived: [
    { collection: environmentActivity, ownerOf: (id) => ({ stream: streams.environment(id) }), secret: false },
    { collection: secrets, ownerOf: (_, doc) => ({ org: (doc as SecretDocument).org }), secret: true },
  ],
  queues: [{ name: 'environments', items: judgingItems }],
  shortcuts: [ReportShortcut],
};
