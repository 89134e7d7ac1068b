import { CoreModule } from '@assurance/access/write/core.module';
import { JudgingModule } from '@assurance/environments/write/judging/judging.module';
import { Module } from '@nestjs/common';
import { ExposureWorker } from './exposure-worker';
import { FetchVulnerabilities } from './fetch/fetch-vulnerabilities';
import { FindExposures } from './find-exposures';
import { ImportVulnerabilitiesHandler } from './import-vulnerabilities';
import { ImportVulnerabilitiesFile } from './import-vulnerabilities-file';
import { VulnerabilitiesController } from './vulnerabilities.controller';
import { VulnerabilityImports } from './vulnerability-imports';

/** Imports vulnerability databases and VEX statements, and finds the vulnerabilities of running artifacts. */
@Module({
  imports: [CoreModule, JudgingModule],
  controllers: [VulnerabilitiesController],
  providers: [
    VulnerabilityImports,
    ImportVulnerabilitiesHandler,
    ImportVulnerabilitiesFile,
    FindExposures,
    ExposureWorker,
    FetchVulnerabilities,
  ],
  exports: [ExposureWorker],
})
export class VulnerabilitiesModule {}
