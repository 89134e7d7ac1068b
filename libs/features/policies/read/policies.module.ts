import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { AttestationAnswers } from '@assurance/evidence/read/attestations';
import { Module } from '@nestjs/common';
import {
  GetControlCoverageHandler,
  GetControlDecisionHandler,
  GetControlHandler,
  GetControlVersionHandler,
  ListControlDecisionsHandler,
  ListControlsHandler,
  ListControlTagsHandler,
  ListControlVersionsHandler,
} from './controls';
import { GetPolicyHandler, ListPoliciesHandler } from './policies';
import { PolicyQueriesController } from './policies.controller';

/** Policies and controls. */
@Module({
  imports: [ViewsModule],
  controllers: [PolicyQueriesController],
  providers: [
    AttestationAnswers,
    ListPoliciesHandler,
    GetPolicyHandler,
    ListControlsHandler,
    GetControlHandler,
    ListControlTagsHandler,
    GetControlCoverageHandler,
    ListControlVersionsHandler,
    GetControlVersionHandler,
    ListControlDecisionsHandler,
    GetControlDecisionHandler,
  ],
})
export class PolicyQueriesModule {}
