import '@assurance/runtime/small-start';
import { projection } from '@assurance/projection-role';
import { run } from '@assurance/runtime';

void run([projection]);
