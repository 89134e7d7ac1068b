import '@assurance/runtime/small-start';
import { run } from '@assurance/runtime';
import { gateway } from './role';

void run([gateway]);
