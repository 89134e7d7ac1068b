import { CoreModule } from '@assurance/access/write/core.module';
import { Sboms } from '@assurance/evidence/write/sboms';
import { Module } from '@nestjs/common';
import { ChangeControlHandler, Controls, CreateControlHandler } from './controls';
import { DecisionsController } from './decisions.controller';
import { EndExceptions } from './end-exceptions';
import { Policies, PutPolicyHandler } from './policies';
import { PoliciesController } from './policies.controller';

/** Policies, controls and attestation types. */
@Module({
  imports: [CoreModule],
  controllers: [PoliciesController, DecisionsController],
  providers: [Policies, Controls, Sboms, EndExceptions, PutPolicyHandler, CreateControlHandler, ChangeControlHandler],
  exports: [Policies],
})
export class PoliciesModule {}
