import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module';
import { ArchiveAttestationTypeHandler, PostAttestationTypeHandler } from './attestation-types';
import { StandardsController } from './standards.controller';
import { ChangeControlHandler, Controls, CreateControlHandler } from './controls';
import { Policies, PutPolicyHandler } from './policies';

/** Policies, controls and attestation types. */
@Module({
  imports: [CoreModule],
  controllers: [StandardsController],
  providers: [
    Policies,
    Controls,
    PutPolicyHandler,
    CreateControlHandler,
    ChangeControlHandler,
    PostAttestationTypeHandler,
    ArchiveAttestationTypeHandler,
  ],
  exports: [Policies, Controls],
})
export class StandardsModule {}
