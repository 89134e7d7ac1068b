import { streams } from '@assurance/contracts-events';
import { CLOCK, type Clock, IDS, type Ids, PORTS, type Ports, type Role } from '@assurance/http';
import { judgingItems } from '@assurance/work-queue';
import { Evaluator } from '@assurance/evaluator';
import { environmentActivity, type SecretDocument, secrets } from '@assurance/model';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Activity } from './activity';
import { ApplyBootstrap } from './apply-bootstrap';
import { ControlVersions } from './attest/control-versions';
import { CustomTypes } from './attest/custom-types';
import { JudgeCustom } from './attest/judge-custom';
import { ReadFile } from './attest/read-file';
import { AttestHandler } from './commands/attest';
import { BeginTrailHandler } from './commands/begin-trail';
import { ArchiveAttestationTypeHandler } from './commands/archive-attestation-type';
import { ChangeControlHandler } from './commands/change-control';
import { ChangeEnvironmentHandler } from './commands/change-environment';
import { ChangeFlowHandler } from './commands/change-flow';
import { ChangeKeysHandler } from './commands/change-keys';
import { Invitations } from './access/invitations';
import { Joining } from './access/joining';
import { Memberships } from './access/memberships';
import { SignIns } from './access/sign-ins';
import { ChangeMemberHandler } from './commands/change-member';
import { ChangeServiceAccountHandler } from './commands/change-service-account';
import { ChooseDefaultHandler } from './commands/choose-default';
import { CreateOrganizationHandler, Organizations } from './commands/create-organization';
import { AcceptInvitationHandler, InviteHandler, RevokeInvitationHandler } from './commands/invite';
import { CreateControlHandler } from './commands/create-control';
import { PostAttestationTypeHandler } from './commands/post-attestation-type';
import { PutEnvironmentHandler } from './commands/put-environment';
import { PutFlowHandler } from './commands/put-flow';
import { PutPolicyHandler } from './commands/put-policy';
import { ChangeRetentionHandler } from './commands/change-retention';
import { ChangeSpaceHandler } from './commands/change-space';
import { PutSpaceHandler } from './commands/put-space';
import { SignInHandler } from './commands/sign-in';
import { ReportArtifactHandler } from './commands/report-artifact';
import { ReportRunningHandler } from './commands/report-running';
import { TagRepoHandler } from './commands/tag-repo';
import { AttestationTypesController } from './controllers/attestation-types.controller';
import { ControlsController } from './controllers/controls.controller';
import { AttestationsController } from './controllers/attestations.controller';
import { EnvironmentsController } from './controllers/environments.controller';
import { FlowsController } from './controllers/flows.controller';
import { ReportsController } from './controllers/reports.controller';
import { TrailsController } from './controllers/trails.controller';
import { NotificationsController } from './controllers/notifications.controller';
import { MembersController } from './controllers/members.controller';
import { NamingController } from './controllers/naming.controller';
import { RetentionController } from './controllers/retention.controller';
import { ServiceAccountsController } from './controllers/service-accounts.controller';
import { SignInController } from './controllers/sign-in.controller';
import { SpacesController } from './controllers/spaces.controller';
import { PoliciesController } from './controllers/policies.controller';
import { UserController } from './controllers/user.controller';
import { Controls } from './controls';
import { Declare } from './declare';
import { JudgingWorker } from './rejudging/judging-worker';
import { UniteMembers } from './rejudging/unite-members';
import { JudgeAgain } from './rejudging/judge-again';
import { JudgeNow } from './rejudging/judge-now';
import { Environments } from './environments';
import { GROUP } from './group';
import { AggregateStatesController, INGESTION_FEED } from './aggregate-states.controller';
import { MakeOrganization } from './operations/create-organization';
import { EraseOrganization } from './operations/erase-organization';
import { RemoveUser } from './operations/remove-user';
import { MoveBlobs } from './operations/move-blobs';
import { RebuildAggregateStates } from './operations/rebuild-states';
import { ResealSecrets } from './operations/reseal-secrets';
import { ListStoredBytes } from './operations/stored-bytes';
import { Verify } from './operations/verify';
import { Judgement } from './judging';
import { MakeFlow } from './make-flow';
import { Meanings } from './meanings';
import { ChangeTargetConfigHandler } from './notifications/change-config';
import { ChangeNotificationHandler } from './notifications/change-notification';
import { TargetConfigs } from './notifications/configs';
import { IssueSecretHandler } from './notifications/issue-secret';
import { PutNotificationHandler } from './notifications/put-notification';
import { Secrets } from './notifications/secrets';
import { Policies } from './policies';
import { Register } from './register';
import { ReportShortcut } from './report-shortcut';
import { OrganizationLimits } from './organization-limits';
import { Repositories } from './repositories';
import { Spaces } from './spaces';
import { Streams } from './streams';
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
