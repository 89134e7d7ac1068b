import { CoreModule } from '@assurance/access/write/core.module';
import { Module } from '@nestjs/common';
import { ImportVulnerabilitiesHandler } from './import-vulnerabilities';
import { ImportVulnerabilitiesFile } from './import-vulnerabilities-file';
import { VulnerabilitiesController } from './vulnerabilities.controller';
import { VulnerabilityImports } from './vulnerability-imports';

/** Imports of databases of vulnerabilities and of VEX statements. */
@Module({
  imports: [CoreModule],
  controllers: [VulnerabilitiesController],
  providers: [VulnerabilityImports, ImportVulnerabilitiesHandler, ImportVulnerabilitiesFile],
})
export class VulnerabilitiesModule {}
