import { startEngines } from '@assurance/testing/engines/engines';
import { startFixtureServers } from './fixture-servers';

/**
 * Before the first spec of Jest's project `scaled`: a MongoDB and a Kafka for the whole run, which accept only users over TLS. The fixture
 * servers start after them and get their addresses.
 */
async function globalSetup({ maxWorkers }: { readonly maxWorkers: number }): Promise<void> {
  await startEngines({ secured: true });
  await startFixtureServers(maxWorkers);
}

export = globalSetup;
