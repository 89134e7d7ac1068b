import '@assurance/runtime/small-start';
import { gateway } from '@assurance/gateway-role';
import { run } from '@assurance/runtime';

void run([gateway]);
