import { CoreModule } from '@assurance/access/write/core.module';
import { Sboms } from '@assurance/evidence/write/sboms';
import { Module } from '@nestjs/common';
import { ChangeControlHandler, Controls, CreateControlHandler } from './controls';
import { DecisionsController } from './decisions.controller';
import { EndExceptions } from './end-exceptions';
import { EvaluationWorker } from './evaluations/evaluation-worker';
import { EvaluationsController } from './evaluations/evaluations.controller';
import { EnableEvaluationsHandler, RequestEvaluationHandler } from './evaluations/request-evaluation';
import { Policies, PutPolicyHandler } from './policies';
import { PoliciesController } from './policies.controller';

/** Policies, controls and attestation types. */
@Module({
  imports: [CoreModule],
  controllers: [PoliciesController, DecisionsController, EvaluationsController],
  providers: [
    Policies,
    Controls,
    Sboms,
    EndExceptions,
    PutPolicyHandler,
    CreateControlHandler,
    ChangeControlHandler,
    EvaluationWorker,
    RequestEvaluationHandler,
    EnableEvaluationsHandler,
  ],
  exports: [Policies, EvaluationWorker],
})
export class PoliciesModule {}
