import '@assurance/runtime/small-start';
import { auditPackage } from '@assurance/audit-package/role';
import { gateway } from '@assurance/gateway/role';
import { ingestion } from '@assurance/ingestion/role';
import { notificationDispatcher } from '@assurance/notification-dispatcher/role';
import { projection } from '@assurance/projection/role';
import { run } from '@assurance/runtime';

void run([gateway, ingestion, projection, notificationDispatcher, auditPackage]);
