import { Module } from '@nestjs/common';
import { ViewsModule } from '../views/views.module';
import { ListDeploymentsHandler, ListDetailedDeploymentsHandler, ListRepoDeploymentsHandler } from './deployments';
import { DeploymentsController } from './deployments.controller';
import { GetDeploymentMetricsHandler } from './metrics';

/** Deployments and their metrics. */
@Module({
  imports: [ViewsModule],
  controllers: [DeploymentsController],
  providers: [
    ListDeploymentsHandler,
    ListDetailedDeploymentsHandler,
    ListRepoDeploymentsHandler,
    GetDeploymentMetricsHandler,
  ],
})
export class DeploymentsModule {}
