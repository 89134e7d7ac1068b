import '@assurance/runtime/small-start';
import { ingestion } from '@assurance/ingestion-role';
import { run } from '@assurance/runtime';

void run([ingestion]);
