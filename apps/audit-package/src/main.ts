import '@assurance/runtime/small-start';
import { run } from '@assurance/runtime';
import { auditPackage } from './role';

void run([auditPackage]);
