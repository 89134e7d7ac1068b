import '@assurance/runtime/small-start';
import { run } from '@assurance/runtime';
import { notificationDispatcher } from './role';

void run([notificationDispatcher]);
