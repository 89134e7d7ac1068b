import { rmSync } from 'node:fs';
import { stopEngines } from '@assurance/testing/engines/engines';

/** After the last spec of Jest's project `browser`. */
const globalTeardown = async (): Promise<void> => {
  rmSync(process.env['ASSURANCE_TEST_SHOP'] ?? '', { recursive: true, force: true });
  await stopEngines();
};

export = globalTeardown;
