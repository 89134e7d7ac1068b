import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CoreModule } from '../core/core.module';
import { FlowsModule } from '../flows/flows.module';
import { StandardsModule } from '../standards/standards.module';
import { Controls } from '../standards/controls';
import { AttestHandler } from './attest';
import { AttestationsController } from './attestations.controller';
import { ControlVersions } from './control-versions';
import { CustomTypes } from './custom-types';
import { JudgeCustom } from './judge-custom';

/** Attestations of trails and artifacts. */
@Module({
  imports: [CqrsModule, CoreModule, FlowsModule, StandardsModule],
  controllers: [AttestationsController],
  providers: [
    AttestHandler,
    { provide: CustomTypes, useClass: JudgeCustom },
    { provide: ControlVersions, useExisting: Controls },
  ],
})
export class AttestationsModule {}
