import '@assurance/runtime/small-start';
import { auditPackage } from '@assurance/audit-package-role';
import { run } from '@assurance/runtime';

void run([auditPackage]);
