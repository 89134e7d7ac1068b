import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module';
import { FlowsModule } from '../flows/flows.module';
import { StandardsModule } from '../standards/standards.module';
import { AttestHandler } from './attest';
import { AttestationsController } from './attestations.controller';
import { CustomTypes } from './custom-types';

/** Attestations of trails and artifacts. */
@Module({
  imports: [CoreModule, FlowsModule, StandardsModule],
  controllers: [AttestationsController],
  providers: [AttestHandler, CustomTypes],
})
export class AttestationsModule {}
