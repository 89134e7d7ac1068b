import { auditPackage } from '@assurance/audit-package/role';
import { gateway } from '@assurance/gateway/role';
import { ingestion } from '@assurance/ingestion/role';
import { notificationDispatcher } from '@assurance/notification-dispatcher/role';
import { projection } from '@assurance/projection/role';
import { operate } from '@assurance/runtime';

void operate([gateway, ingestion, projection, notificationDispatcher, auditPackage], process.argv.slice(2));
