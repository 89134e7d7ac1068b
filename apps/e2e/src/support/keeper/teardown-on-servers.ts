import { stopEngines } from '@assurance/testing-engines/run';
import { stopKeepers } from './keepers';

/** After the last spec of Jest's project `scaled`: services first, then what they run on. */
async function globalTeardown(): Promise<void> {
  await stopKeepers();
  await stopEngines();
}

export = globalTeardown;
