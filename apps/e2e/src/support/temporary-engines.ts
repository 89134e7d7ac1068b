import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engines } from '@assurance/storage-ports';
import { openEmbedded } from '@assurance/storage-sqlite';

/** The embedded engine for the tests of one `describe`, in a folder that goes with it. Its clock stands still. */
export function temporaryEngines(): () => Engines {
  let engines: Engines;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'assurance-'));
    engines = await openEmbedded({ folder, now: () => 1, random: (bytes) => new Uint8Array(bytes).fill(7) });
  });
  afterAll(async () => {
    await engines.close();
    rmSync(folder, { recursive: true });
  });
  return () => engines;
}
