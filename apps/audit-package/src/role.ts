import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PackagesController } from '@assurance/audit/collect/packages.controller';
import { GetPackageHandler, GetTrailPdfHandler } from '@assurance/audit/collect/packages.query';
import type { Role } from '@assurance/http';
import { KnownVulnerabilitiesModule } from '@assurance/vulnerabilities/read/known-vulnerabilities.module';

@Module({
  imports: [CqrsModule, KnownVulnerabilitiesModule],
  controllers: [PackagesController],
  providers: [GetPackageHandler, GetTrailPdfHandler],
})
class AuditPackageModule {}

/** Exports evidence as one file that can be checked without this service (specification 4.8). It reads committed data and writes nothing. */
export const auditPackage: Role = {
  name: 'audit-package',
  module: AuditPackageModule,
  needs: ['events', 'documents', 'blobs'],
};
