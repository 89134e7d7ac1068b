import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { Module } from '@nestjs/common';
import { GetControlCoverageHandler, GetControlHandler, ListControlsHandler } from './controls';
import { GetPolicyHandler, ListPoliciesHandler } from './policies';
import { PolicyQueriesController } from './policies.controller';

/** Policies and controls. */
@Module({
  imports: [ViewsModule],
  controllers: [PolicyQueriesController],
  providers: [ListPoliciesHandler, GetPolicyHandler, ListControlsHandler, GetControlHandler, GetControlCoverageHandler],
})
export class PolicyQueriesModule {}
