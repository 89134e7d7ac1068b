import '@assurance/runtime/small-start';
import { run } from '@assurance/runtime';
import { ingestion } from './role';

void run([ingestion]);
