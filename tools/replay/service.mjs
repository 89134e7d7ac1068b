import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '../setup/child.mjs';

const main = resolve(dirname(fileURLToPath(import.meta.url)), '../../apps/standalone/dist/main.js');
const ORG = 'recorded';

/**
 * Starts the built service on a free port with a new data folder, and with one organization and one key from a bootstrap file.
 *
 * @returns its address, and `stop`, which ends it and removes its folder
 */
export async function startService() {
  if (!existsSync(main)) throw new Error('apps/standalone is not built: run npm run build');
  const folder = mkdtempSync(join(tmpdir(), 'assurance-replay-'));
  const key = randomBytes(32).toString('base64url');
  const bootstrap = {
    users: [{ name: 'replayer', email: 'replayer@example.com', api_keys: [{ key, description: 'replay' }] }],
    organizations: [{ name: ORG, members: [{ user: 'replayer', role: 'admin' }] }],
  };
  // JSON is valid YAML.
  writeFileSync(join(folder, 'bootstrap.yaml'), JSON.stringify(bootstrap), { mode: 0o600 });
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const env = {
    ASSURANCE_PORT: '0',
    ASSURANCE_DATA_DIR: join(folder, 'data'),
    ASSURANCE_BOOTSTRAP_FILE: join(folder, 'bootstrap.yaml'),
    ASSURANCE_LOG_LEVEL: 'warn',
  };
  try {
    const { url, stop } = await startChild([main], { env });
    return { url, key, org: ORG, stop: () => stop().finally(remove) };
  } catch (fault) {
    remove();
    throw fault;
  }
}
