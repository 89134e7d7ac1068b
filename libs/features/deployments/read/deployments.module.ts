import { EnvironmentQueriesModule } from '@assurance/environments/read/environments.module';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { LAST_DEPLOYMENT } from '@assurance/flows/read/last-deployment';
import { Global, Module } from '@nestjs/common';
import { GetDeliveryFiguresHandler } from './compared';
import { ListDeploymentsHandler, ListDetailedDeploymentsHandler, ListRepoDeploymentsHandler } from './deployments';
import { EnvironmentDeploymentsController } from './environment-deployments.controller';
import { DeploymentsController } from './deployments.controller';
import {
  GetDeploymentFrequencyHandler,
  GetDeploymentHandler,
  ListEnvironmentDeploymentsHandler,
} from './environment-deployments';
import { LastDeploymentInView } from './last-deployment';
import { GetDeploymentMetricsHandler } from './metrics';
import { JudgePolicyDraftHandler } from './policy-draft';
import { PolicyDraftsController } from './policy-drafts.controller';
import { GetRepoDeploymentStatisticsHandler } from './repo-statistics';

/** Deployments and their metrics. The module is global, because the flows module shows the last deployment and is loaded first. */
@Global()
@Module({
  imports: [ViewsModule, EnvironmentQueriesModule],
  controllers: [DeploymentsController, EnvironmentDeploymentsController, PolicyDraftsController],
  providers: [
    ListDeploymentsHandler,
    ListDetailedDeploymentsHandler,
    ListRepoDeploymentsHandler,
    GetDeploymentMetricsHandler,
    GetDeploymentHandler,
    ListEnvironmentDeploymentsHandler,
    GetDeploymentFrequencyHandler,
    GetRepoDeploymentStatisticsHandler,
    GetDeliveryFiguresHandler,
    JudgePolicyDraftHandler,
    { provide: LAST_DEPLOYMENT, useClass: LastDeploymentInView },
  ],
  exports: [LAST_DEPLOYMENT],
})
export class DeploymentsModule {}
