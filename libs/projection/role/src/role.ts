import type { Role } from '@assurance/http';
import { Module } from '@nestjs/common';
import { AccessQueriesModule } from './access/access.module';
import { AttestationQueriesModule } from './attestations/attestations.module';
import { CatalogueModule } from './catalogue/catalogue.module';
import { DeploymentsModule } from './deployments/deployments.module';
import { EnvironmentQueriesModule } from './environments/environments.module';
import { FlowQueriesModule } from './flows/flows.module';
import { NotificationQueriesModule } from './notifications/notifications.module';
import { RetentionQueriesModule } from './retention/retention.module';
import { SpaceQueriesModule } from './spaces/spaces.module';
import { StandardQueriesModule } from './standards/standards.module';
import { PROJECTION_FEED } from './views/feed.controller';
import { RebuildView } from './views/rebuild-view';
import { ViewsModule } from './views/views.module';

@Module({
  imports: [
    ViewsModule,
    AccessQueriesModule,
    AttestationQueriesModule,
    CatalogueModule,
    DeploymentsModule,
    EnvironmentQueriesModule,
    FlowQueriesModule,
    NotificationQueriesModule,
    RetentionQueriesModule,
    SpaceQueriesModule,
    StandardQueriesModule,
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
