import { Module } from '@nestjs/common';
import { CoreModule } from '@assurance/access/write/core.module';
import { SpacesModule } from '@assurance/access/write/spaces.module';
import { BeginTrailHandler } from './begin-trail';
import { ChangeFlowHandler } from './change-flow';
import { FlowsController } from './flows.controller';
import { PutFlowHandler } from './put-flow';
import { ReportArtifactHandler } from './report-artifact';
import { Repositories } from './repositories';
import { TagRepoHandler } from './tag-repo';

/** Commands for flows, trails, artifacts and repositories. */
@Module({
  imports: [CoreModule, SpacesModule],
  controllers: [FlowsController],
  providers: [
    Repositories,
    PutFlowHandler,
    ChangeFlowHandler,
    BeginTrailHandler,
    ReportArtifactHandler,
    TagRepoHandler,
  ],
  exports: [PutFlowHandler, Repositories],
})
export class FlowsModule {}
