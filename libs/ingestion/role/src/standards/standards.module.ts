import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CoreModule } from '../core/core.module';
import { ArchiveAttestationTypeHandler, PostAttestationTypeHandler } from './attestation-types';
import { AttestationTypesController } from './attestation-types.controller';
import { ChangeControlHandler, Controls, CreateControlHandler } from './controls';
import { ControlsController } from './controls.controller';
import { Policies, PutPolicyHandler } from './policies';
import { PoliciesController } from './policies.controller';

/** Policies, controls and attestation types. */
@Module({
  imports: [CqrsModule, CoreModule],
  controllers: [PoliciesController, ControlsController, AttestationTypesController],
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
