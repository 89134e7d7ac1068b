import { Module } from '@nestjs/common';
import type { Role } from '@assurance/http';

@Module({})
class AuditPackageModule {}

/** Evidence as one file. Packages come with the evidence; until then it answers no route. */
export const auditPackage: Role = { name: 'audit-package', module: AuditPackageModule, needs: [] };
