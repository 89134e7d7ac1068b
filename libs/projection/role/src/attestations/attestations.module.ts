import { Module } from '@nestjs/common';
import { ViewsModule } from '../views/views.module';
import {
  AttestationAnswers,
  FindAttestationsHandler,
  GetEvidenceHandler,
  ListAttestationsHandler,
} from './attestations';
import { AttestationQueriesController } from './attestations.controller';

/** Attestations and their files. */
@Module({
  imports: [ViewsModule],
  controllers: [AttestationQueriesController],
  providers: [AttestationAnswers, ListAttestationsHandler, FindAttestationsHandler, GetEvidenceHandler],
})
export class AttestationQueriesModule {}
