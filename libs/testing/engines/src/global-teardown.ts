import { running } from './running';

/** After the last spec of Jest's project `engines`. */
async function globalTeardown(): Promise<void> {
  for (const engine of running.splice(0)) await engine.stop();
}

export = globalTeardown;
