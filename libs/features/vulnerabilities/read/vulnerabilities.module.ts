import { ComponentsModule } from '@assurance/components/read/components.module';
import { VULNERABILITY_MATCHES } from '@assurance/environments/read/further-matches';
import { ViewsModule } from '@assurance/event-sourcing/projection/views.module';
import { Global, Module } from '@nestjs/common';
import { ListArtifactVulnerabilitiesHandler } from './artifact-vulnerabilities';
import { GetEnvironmentExposureHandler } from './environment-exposure';
import { ArtifactsOnDays } from './exposed-artifacts';
import { VulnerabilitiesOnDays } from './exposed-vulnerabilities';
import { Exposures } from './exposures';
import { VulnerabilityMatches } from './matches';
import { GetVulnerabilityHandler, ListVulnerabilitiesHandler } from './vulnerabilities';
import { VulnerabilityQueriesController } from './vulnerabilities.controller';

/** Queries for the vulnerabilities of artifacts, and where these artifacts run. The module is global, because the search of an earlier feature finds vulnerabilities. */
@Global()
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
    { provide: VULNERABILITY_MATCHES, useClass: VulnerabilityMatches },
  ],
  exports: [VULNERABILITY_MATCHES],
})
export class VulnerabilityQueriesModule {}
