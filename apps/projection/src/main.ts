import '@assurance/runtime/small-start';
import { run } from '@assurance/runtime';
import { projection } from './role';

void run([projection]);
