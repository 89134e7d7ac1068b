import { PORTS, type Ports, type Role } from '@assurance/http';
import { Evaluator } from '@assurance/evaluator';
import { PoliciesInForce } from '@assurance/readers';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BuildViews } from './build-views';
import { ArtifactQueriesController } from './controllers/artifacts.controller';
import { AttestationTypeQueriesController } from './controllers/attestation-types.controller';
import { AttestationQueriesController } from './controllers/attestations.controller';
import { CatalogueController } from './controllers/catalogue.controller';
import { ControlQueriesController } from './controllers/controls.controller';
import { DeploymentsController } from './controllers/deployments.controller';
import { EnvironmentEventsController } from './controllers/environment-events.controller';
import { EnvironmentQueriesController } from './controllers/environments.controller';
import { FlowQueriesController } from './controllers/flows.controller';
import { NotificationQueriesController } from './controllers/notifications.controller';
import { MemberQueriesController } from './controllers/members.controller';
import { TrailQueriesController } from './controllers/trails.controller';
import { UserQueriesController } from './controllers/user.controller';
import { PolicyQueriesController } from './controllers/policies.controller';
import { RetentionQueriesController } from './controllers/retention.controller';
import { SpaceQueriesController } from './controllers/spaces.controller';
import { FeedController, PROJECTION_FEED } from './feed.controller';
import { Generations } from './generations';
import { Lookups } from './lookups';
import { GetArtifactsHandler, GetLatestCommitHandler, ListArtifactsHandler } from './queries/artifacts';
import {
  AttestationAnswers,
  FindAttestationsHandler,
  GetEvidenceHandler,
  ListAttestationsHandler,
} from './queries/attestations';
import { ListEnvironmentsHandler, ListFlowsHandler } from './queries/catalogue';
import { GetAttestationTypeHandler, ListAttestationTypesHandler } from './queries/attestation-types';
import { GetControlCoverageHandler, GetControlHandler, ListControlsHandler } from './queries/controls';
import { ListDeploymentsHandler, ListRepoDeploymentsHandler } from './queries/deployments';
import { DiffEnvironmentsHandler, ListEnvironmentEventsHandler } from './queries/environment-events';
import { GetEnvironmentHandler, GetSnapshotHandler, ListSnapshotsHandler } from './queries/environments';
import { GetFlowHandler } from './queries/flows';
import { GetDeploymentMetricsHandler } from './queries/metrics';
import { GetNotificationsHandler, GetTargetConfigsHandler, ListDeliveriesHandler } from './queries/notifications';
import { ListInvitationsHandler, ListMembershipEventsHandler, ListMembersHandler } from './queries/members';
import { AssertArtifactHandler } from './queries/assert';
import { GetPolicyHandler, ListPoliciesHandler } from './queries/policies';
import { GetRetentionHandler } from './queries/retention';
import { GetRepoHandler, ListReposHandler } from './queries/repos';
import { SearchHandler } from './queries/search';
import { GetServiceAccountHandler, ListServiceAccountsHandler, ListUserKeysHandler } from './queries/service-accounts';
import { GetSpaceHandler, ListSpacesHandler } from './queries/spaces';
import { GetTrailHandler, ListTrailsHandler } from './queries/trails';
import { GetDefaultOrganizationHandler } from './queries/user';
import { RebuildView } from './rebuild-view';
import { Views } from './view';

@Module({
  imports: [CqrsModule],
  controllers: [
    ArtifactQueriesController,
    AttestationTypeQueriesController,
    ControlQueriesController,
    AttestationQueriesController,
    EnvironmentQueriesController,
    EnvironmentEventsController,
    FlowQueriesController,
    DeploymentsController,
    TrailQueriesController,
    NotificationQueriesController,
    CatalogueController,
    UserQueriesController,
    MemberQueriesController,
    PolicyQueriesController,
    RetentionQueriesController,
    SpaceQueriesController,
    FeedController,
  ],
  providers: [
    Lookups,
    { provide: Evaluator, useFactory: () => new Evaluator() },
    { provide: PoliciesInForce, inject: [PORTS], useFactory: (ports: Ports) => new PoliciesInForce(ports.documents) },
    Generations,
    Views,
    RebuildView,
    BuildViews,
    AssertArtifactHandler,
    DiffEnvironmentsHandler,
    AttestationAnswers,
    FindAttestationsHandler,
    GetEvidenceHandler,
    ListAttestationsHandler,
    GetArtifactsHandler,
    GetAttestationTypeHandler,
    GetControlCoverageHandler,
    GetControlHandler,
    GetDefaultOrganizationHandler,
    GetDeploymentMetricsHandler,
    GetEnvironmentHandler,
    GetFlowHandler,
    GetLatestCommitHandler,
    GetNotificationsHandler,
    GetPolicyHandler,
    GetRepoHandler,
    GetRetentionHandler,
    GetTargetConfigsHandler,
    GetServiceAccountHandler,
    GetSnapshotHandler,
    GetSpaceHandler,
    GetTrailHandler,
    ListArtifactsHandler,
    ListAttestationTypesHandler,
    ListControlsHandler,
    ListDeliveriesHandler,
    ListDeploymentsHandler,
    ListEnvironmentsHandler,
    ListFlowsHandler,
    ListEnvironmentEventsHandler,
    ListRepoDeploymentsHandler,
    ListMembershipEventsHandler,
    ListInvitationsHandler,
    ListMembersHandler,
    ListPoliciesHandler,
    ListReposHandler,
    ListServiceAccountsHandler,
    ListUserKeysHandler,
    ListSnapshotsHandler,
    ListSpacesHandler,
    ListTrailsHandler,
    SearchHandler,
  ],
})
class ProjectionModule {}

/** The views, and every query on views and aggregate states. */
export const projection: Role = {
  name: 'projection',
  module: ProjectionModule,
  needs: ['events', 'documents', 'feed', 'blobs'],
  consumes: [{ group: 'projection', transport: PROJECTION_FEED }],
  operations: [RebuildView],
};
