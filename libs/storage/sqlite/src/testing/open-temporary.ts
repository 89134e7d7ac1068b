import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engines } from '@assurance/storage-ports';
import { type EmbeddedEngines, openEmbedded } from '../open-embedded';

const NOW = 1_700_000_000_000;

/** For specs: an empty folder. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'assurance-sqlite-'));
}

/** For specs: the engine on a folder. */
export function openOn(folder: string, now = () => NOW, onFault?: (fault: unknown) => void): Promise<EmbeddedEngines> {
  return openEmbedded({ folder, now, random: (bytes) => randomBytes(bytes), onFault });
}

/** For specs: the engine on its own folder, which is removed when it closes. */
export async function openTemporary(now?: () => number): Promise<{ engines: Engines; close(): Promise<void> }> {
  const folder = await temporaryFolder();
  const engines = await openOn(folder, now);
  const close = async () => {
    await engines.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { engines, close };
}
