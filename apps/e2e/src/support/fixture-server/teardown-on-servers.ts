import { stopEngines } from '@assurance/testing/engines/engines';
import { stopFixtureServers } from './fixture-servers';

/** After the last spec of Jest's project `scaled`: services first, then what they run on. */
async function globalTeardown(): Promise<void> {
  await stopFixtureServers();
  await stopEngines();
}

export = globalTeardown;
