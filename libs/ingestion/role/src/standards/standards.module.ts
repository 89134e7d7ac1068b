import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CoreModule } from '../core/core.module';
import { ArchiveAttestationTypeHandler } from './archive-attestation-type';
import { AttestationTypesController } from './attestation-types.controller';
import { ChangeControlHandler } from './change-control';
import { Controls } from './controls';
import { ControlsController } from './controls.controller';
import { CreateControlHandler } from './create-control';
import { Policies } from './policies';
import { PoliciesController } from './policies.controller';
import { PostAttestationTypeHandler } from './post-attestation-type';
import { PutPolicyHandler } from './put-policy';

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
