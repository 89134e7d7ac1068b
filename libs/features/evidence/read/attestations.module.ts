import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { Module } from '@nestjs/common';
import { GetAttestationTypeHandler, ListAttestationTypesHandler } from './attestation-types';
import { AttestationTypeQueriesController } from './attestation-types.controller';
import {
  AttestationAnswers,
  FindAttestationsHandler,
  GetEvidenceHandler,
  ListAttestationsHandler,
} from './attestations';
import { AttestationQueriesController } from './attestations.controller';

/** Attestations, their files and their types. */
@Module({
  imports: [ViewsModule],
  controllers: [AttestationQueriesController, AttestationTypeQueriesController],
  providers: [
    AttestationAnswers,
    ListAttestationsHandler,
    FindAttestationsHandler,
    GetEvidenceHandler,
    ListAttestationTypesHandler,
    GetAttestationTypeHandler,
  ],
})
export class AttestationQueriesModule {}
