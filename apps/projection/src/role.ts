import { AccessQueriesModule } from '@assurance/access/read/access.module';
import { SpaceQueriesModule } from '@assurance/access/read/spaces.module';
import { AuditLogModule } from '@assurance/audit/read/audit-log.module';
import { RetentionQueriesModule } from '@assurance/audit/read/retention.module';
import { ComponentsModule } from '@assurance/components/read/components.module';
import { DeploymentsModule } from '@assurance/deployments/read/deployments.module';
import { CatalogueModule } from '@assurance/environments/read/catalogue.module';
import { EnvironmentQueriesModule } from '@assurance/environments/read/environments.module';
import { PROJECTION_FEED, SLOW_VIEWS_FEED } from '@assurance/event-sourcing/projection/feed.controller';
import { dueOrganizations } from '@assurance/event-sourcing/projection/due-commits';
import { RebuildView } from '@assurance/event-sourcing/projection/rebuild-view';
import { SLOW_VIEWS_GROUP } from '@assurance/event-sourcing/projection/slow-views';
import { VIEWS } from '@assurance/event-sourcing/projection/views';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { AttestationQueriesModule } from '@assurance/evidence/read/attestations.module';
import { FlowQueriesModule } from '@assurance/flows/read/flows.module';
import type { Role } from '@assurance/http';
import { NotificationQueriesModule } from '@assurance/notifications/read/notifications.module';
import { PolicyQueriesModule } from '@assurance/policies/read/policies.module';
import { KnownVulnerabilitiesModule } from '@assurance/vulnerabilities/read/known-vulnerabilities.module';
import { vulnerabilitiesView } from '@assurance/vulnerabilities/read/vulnerabilities/follow';
import { VulnerabilityQueriesModule } from '@assurance/vulnerabilities/read/vulnerabilities.module';
import { Global, Module } from '@nestjs/common';
import { views } from './views';

@Global()
@Module({ providers: [{ provide: VIEWS, useValue: views }], exports: [VIEWS] })
class AllViewsModule {}

@Module({
  imports: [
    AllViewsModule,
    ViewsModule,
    AccessQueriesModule,
    AttestationQueriesModule,
    AuditLogModule,
    CatalogueModule,
    ComponentsModule,
    DeploymentsModule,
    EnvironmentQueriesModule,
    FlowQueriesModule,
    NotificationQueriesModule,
    RetentionQueriesModule,
    SpaceQueriesModule,
    PolicyQueriesModule,
    VulnerabilityQueriesModule,
    KnownVulnerabilitiesModule,
  ],
})
class ProjectionModule {}

/** Maintains the views, and answers every query on views and aggregate states. */
export const projection: Role = {
  name: 'projection',
  module: ProjectionModule,
  needs: ['events', 'documents', 'feed', 'blobs'],
  consumes: [
    { group: 'projection', transport: PROJECTION_FEED },
    // This view has its own group, because its comparisons take seconds.
    { group: SLOW_VIEWS_GROUP, transport: SLOW_VIEWS_FEED, kinds: vulnerabilitiesView.kinds },
  ],
  queues: [{ name: 'vulnerabilities', items: dueOrganizations, isCaughtUp: true }],
  operations: [RebuildView],
};
