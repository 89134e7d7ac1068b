import { ComponentsModule } from '@assurance/components/read/components.module';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { Module } from '@nestjs/common';
import { ListArtifactVulnerabilitiesHandler } from './artifact-vulnerabilities';
import { GetEnvironmentExposureHandler } from './environment-exposure';
import { ArtifactsOnDays } from './exposed-artifacts';
import { VulnerabilitiesOnDays } from './exposed-vulnerabilities';
import { Exposures } from './exposures';
import { GetVulnerabilityHandler, ListVulnerabilitiesHandler } from './vulnerabilities';
import { VulnerabilityQueriesController } from './vulnerabilities.controller';

/** Queries for the vulnerabilities of artifacts, and where these artifacts run. */
@Module({
  imports: [ViewsModule, ComponentsModule],
  controllers: [VulnerabilityQueriesController],
  providers: [
    Exposures,
    ArtifactsOnDays,
    VulnerabilitiesOnDays,
    ListVulnerabilitiesHandler,
    GetEnvironmentExposureHandler,
    GetVulnerabilityHandler,
    ListArtifactVulnerabilitiesHandler,
  ],
})
export class VulnerabilityQueriesModule {}
