import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CoreModule } from '../core/core.module';
import { SpacesModule } from '../spaces/spaces.module';
import { BeginTrailHandler } from './begin-trail';
import { ChangeFlowHandler } from './change-flow';
import { FlowsController } from './flows.controller';
import { MakeFlow } from './make-flow';
import { PutFlowHandler } from './put-flow';
import { ReportArtifactHandler } from './report-artifact';
import { Repositories } from './repositories';
import { TagRepoHandler } from './tag-repo';
import { TrailsController } from './trails.controller';

/** Flows, trails, artifacts and repositories. */
@Module({
  imports: [CqrsModule, CoreModule, SpacesModule],
  controllers: [FlowsController, TrailsController],
  providers: [
    MakeFlow,
    Repositories,
    PutFlowHandler,
    ChangeFlowHandler,
    BeginTrailHandler,
    ReportArtifactHandler,
    TagRepoHandler,
  ],
  exports: [MakeFlow, Repositories],
})
export class FlowsModule {}
