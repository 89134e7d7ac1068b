import { gateway } from '@assurance/gateway-role';
import { ingestion } from '@assurance/ingestion-role';
import { projection } from '@assurance/projection-role';
import { operate } from '@assurance/runtime';

void operate([gateway, ingestion, projection], process.argv.slice(2));
