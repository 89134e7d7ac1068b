import { startFixtureServers } from './fixture-servers';

/** Before the first spec of Jest's project `node`. */
async function globalSetup({ maxWorkers }: { readonly maxWorkers: number }): Promise<void> {
  await startFixtureServers(maxWorkers);
}

export = globalSetup;
