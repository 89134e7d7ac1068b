import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngines } from '@assurance/testing/engines/engines';

/** Before the first spec of Jest's project `browser`: what the `scaled` deployment runs on, and a folder for the data that specs begin with. */
const globalSetup = async (): Promise<void> => {
  process.env['ASSURANCE_TEST_SHOP'] = mkdtempSync(join(tmpdir(), 'assurance-shop-'));
  await startEngines();
};

export = globalSetup;
