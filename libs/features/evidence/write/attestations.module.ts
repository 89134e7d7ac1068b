import { CoreModule } from '@assurance/access/write/core.module';
import { FlowsModule } from '@assurance/flows/write/flows.module';
import { Module } from '@nestjs/common';
import { AttestHandler } from './attest';
import { ArchiveAttestationTypeHandler, PostAttestationTypeHandler } from './attestation-types';
import { AttestationTypesController } from './attestation-types.controller';
import { AttestationsController } from './attestations.controller';
import { CustomTypes } from './custom-types';
import { Scans } from './scans';

/** Records attestations of trails and artifacts. */
@Module({
  imports: [CoreModule, FlowsModule],
  controllers: [AttestationsController, AttestationTypesController],
  providers: [AttestHandler, CustomTypes, Scans, PostAttestationTypeHandler, ArchiveAttestationTypeHandler],
})
export class AttestationsModule {}
