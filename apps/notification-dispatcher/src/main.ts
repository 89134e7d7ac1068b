import '@assurance/runtime/small-start';
import { notificationDispatcher } from '@assurance/notification-role';
import { run } from '@assurance/runtime';

void run([notificationDispatcher]);
