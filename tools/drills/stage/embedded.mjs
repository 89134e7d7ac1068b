import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from './service.mjs';
import { bootstrap, lastWords, newKey, ORG } from './stage.mjs';

/** Starts one process on the embedded engine with a temporary folder. */
export async function setEmbedded() {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-drills-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const keys = { writer: newKey(), reader: newKey() };
  const env = {
    ASSURANCE_DATA_DIR: join(folder, 'data'),
    ASSURANCE_PUBLIC_URL: 'http://localhost:1',
    ASSURANCE_LOG_LEVEL: 'warn',
    ASSURANCE_BOOTSTRAP_FILE: bootstrap(folder, ORG, keys),
  };
  const service = new Service('standalone', folder, env);
  const close = async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await service.start();
    return { ...stageOf(service), folder, env, keys, close };
  } catch (cause) {
    const said = lastWords(folder);
    await close();
    throw new Error(`the services of the drill did not start; their output:\n${said}`, { cause });
  }
}

/** One process has every role. */
export function stageOf(service) {
  return { gateway: [service], ingestion: [service], projection: [service] };
}
