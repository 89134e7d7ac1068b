import { Module } from '@nestjs/common';
import { CoreModule } from '../core/core.module';
import { JudgingModule } from '../judging/judging.module';
import { StandardsModule } from '../standards/standards.module';
import { SpacesModule } from '../spaces/spaces.module';
import { Meanings } from './meanings';
import { ChangeEnvironmentHandler } from './change-environment';
import { EnvironmentsController } from './environments.controller';
import { PutEnvironmentHandler } from './put-environment';
import { ReportRunningHandler } from './report-running';
import { ReportShortcut } from './report-shortcut';
import { ReportsController } from './reports.controller';

/** Environments and reports of what they run. */
@Module({
  imports: [CoreModule, JudgingModule, StandardsModule, SpacesModule],
  controllers: [EnvironmentsController, ReportsController],
  providers: [
    ReportShortcut,
    PutEnvironmentHandler,
    ChangeEnvironmentHandler,
    ReportRunningHandler,
    { provide: Meanings, useFactory: () => new Meanings() },
  ],
})
export class EnvironmentsModule {}
