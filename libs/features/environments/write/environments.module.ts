import { CoreModule } from '@assurance/access/write/core.module';
import { SpacesModule } from '@assurance/access/write/spaces.module';
import { PoliciesModule } from '@assurance/policies/write/policies.module';
import { Module } from '@nestjs/common';
import { ChangeEnvironmentHandler } from './change-environment';
import { EndAllowances } from './end-allowances';
import { EnvironmentStatesModule } from './environment-states.module';
import { EnvironmentsController } from './environments.controller';
import { JudgingController } from './judging.controller';
import { JudgingModule } from './judging/judging.module';
import { ReportDigestCache } from './report-digest-cache';
import { PoliciesOfBodies } from './policies-of';
import { PutEnvironmentHandler } from './put-environment';
import { ReportRunningHandler } from './report-running';
import { ReportShortcut } from './report-shortcut';
import { ReportsController } from './reports.controller';
import { WatchSilence } from './silence/watch-silence';

/** Environments and reports of what they run. */
@Module({
  imports: [CoreModule, EnvironmentStatesModule, JudgingModule, PoliciesModule, SpacesModule],
  controllers: [EnvironmentsController, JudgingController, ReportsController],
  providers: [
    ReportShortcut,
    WatchSilence,
    PoliciesOfBodies,
    PutEnvironmentHandler,
    ChangeEnvironmentHandler,
    ReportRunningHandler,
    EndAllowances,
    { provide: ReportDigestCache, useFactory: () => new ReportDigestCache() },
  ],
  exports: [WatchSilence],
})
export class EnvironmentsModule {}
