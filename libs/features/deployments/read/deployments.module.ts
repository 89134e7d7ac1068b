import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { LAST_DEPLOYMENT } from '@assurance/flows/read/last-deployment';
import { Global, Module } from '@nestjs/common';
import { GetDeliveryFiguresHandler } from './compared';
import { ListDeploymentsHandler, ListDetailedDeploymentsHandler, ListRepoDeploymentsHandler } from './deployments';
import { DeploymentsController } from './deployments.controller';
import { LastDeploymentInView } from './last-deployment';
import { GetDeploymentMetricsHandler } from './metrics';

/** Deployments and their metrics. Global, because flows show their last deployment and come before deployments. */
@Global()
@Module({
  imports: [ViewsModule],
  controllers: [DeploymentsController],
  providers: [
    ListDeploymentsHandler,
    ListDetailedDeploymentsHandler,
    ListRepoDeploymentsHandler,
    GetDeploymentMetricsHandler,
    GetDeliveryFiguresHandler,
    { provide: LAST_DEPLOYMENT, useClass: LastDeploymentInView },
  ],
  exports: [LAST_DEPLOYMENT],
})
export class DeploymentsModule {}
