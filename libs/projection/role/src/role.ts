import { PORTS, type Ports, type Role } from '@assurance/http';
import { Evaluator } from '@assurance/evaluator';
import { PoliciesInForce } from '@assurance/readers';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { BuildViews } from './views/build-views';
import { ArtifactQueriesController } from './flows/artifacts.controller';
import { AttestationTypeQueriesController } from './standards/attestation-types.controller';
import { AttestationQueriesController } from './attestations/attestations.controller';
import { CatalogueController } from './catalogue/catalogue.controller';
import { ControlQueriesController } from './standards/controls.controller';
import { DeploymentsController } from './deployments/deployments.controller';
import { EnvironmentEventsController } from './environments/environment-events.controller';
import { EnvironmentQueriesController } from './environments/environments.controller';
import { FlowQueriesController } from './flows/flows.controller';
import { NotificationQueriesController } from './notifications/notifications.controller';
import { MemberQueriesController } from './access/members.controller';
import { TrailQueriesController } from './flows/trails.controller';
import { UserQueriesController } from './access/user.controller';
import { PolicyQueriesController } from './standards/policies.controller';
import { RetentionQueriesController } from './retention/retention.controller';
import { SpaceQueriesController } from './spaces/spaces.controller';
import { FeedController, PROJECTION_FEED } from './views/feed.controller';
import { Generations } from './views/generations';
import { Lookups } from './views/lookups';
import { GetArtifactsHandler, GetLatestCommitHandler, ListArtifactsHandler } from './flows/artifacts';
import {
  AttestationAnswers,
  FindAttestationsHandler,
  GetEvidenceHandler,
  ListAttestationsHandler,
} from './attestations/attestations';
import { ListEnvironmentsHandler, ListFlowsHandler } from './catalogue/catalogue';
import { GetAttestationTypeHandler, ListAttestationTypesHandler } from './standards/attestation-types';
import { GetControlCoverageHandler, GetControlHandler, ListControlsHandler } from './standards/controls';
import { ListDeploymentsHandler, ListRepoDeploymentsHandler } from './deployments/deployments';
import { DiffEnvironmentsHandler, ListEnvironmentEventsHandler } from './environments/environment-events';
import { GetEnvironmentHandler, GetSnapshotHandler, ListSnapshotsHandler } from './environments/environments';
import { GetFlowHandler } from './flows/flows';
import { GetDeploymentMetricsHandler } from './deployments/metrics';
import { GetNotificationsHandler, GetTargetConfigsHandler, ListDeliveriesHandler } from './notifications/notifications';
import { ListInvitationsHandler, ListMembershipEventsHandler, ListMembersHandler } from './access/members';
import { AssertArtifactHandler } from './standards/assert';
import { GetPolicyHandler, ListPoliciesHandler } from './standards/policies';
import { GetRetentionHandler } from './retention/retention';
import { GetRepoHandler, ListReposHandler } from './flows/repos';
import { SearchHandler } from './flows/search';
import { GetServiceAccountHandler, ListServiceAccountsHandler, ListUserKeysHandler } from './access/service-accounts';
import { GetSpaceHandler, ListSpacesHandler } from './spaces/spaces';
import { GetTrailHandler, ListTrailsHandler } from './flows/trails';
import { GetDefaultOrganizationHandler } from './access/user';
import { RebuildView } from './views/rebuild-view';
import { Views } from './views/view';

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
