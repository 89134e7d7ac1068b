import { Evaluator } from '@assurance/evaluator';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { Module } from '@nestjs/common';
import { GetAttestationTypeHandler, ListAttestationTypesHandler } from './attestation-types';
import { AttestationTypeQueriesController } from './attestation-types.controller';
import {
  AttestationAnswers,
  FindAttestationsHandler,
  GetEvidenceHandler,
  ListAttestationsHandler,
  ListCommitAttestationsHandler,
  ListFlowAttestationsHandler,
} from './attestations';
import { AttestationQueriesController } from './attestations.controller';

/** Queries for attestations, their files and their types. */
@Module({
  imports: [ViewsModule],
  controllers: [AttestationQueriesController, AttestationTypeQueriesController],
  providers: [
    AttestationAnswers,
    ListAttestationsHandler,
    ListFlowAttestationsHandler,
    ListCommitAttestationsHandler,
    FindAttestationsHandler,
    GetEvidenceHandler,
    ListAttestationTypesHandler,
    GetAttestationTypeHandler,
    { provide: Evaluator, useFactory: () => new Evaluator() },
  ],
})
export class AttestationQueriesModule {}
