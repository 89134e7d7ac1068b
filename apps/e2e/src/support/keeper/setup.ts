import { startKeepers } from './keepers';

/** Before the first spec of Jest's project `node`. */
async function globalSetup({ maxWorkers }: { readonly maxWorkers: number }): Promise<void> {
  await startKeepers(maxWorkers);
}

export = globalSetup;
