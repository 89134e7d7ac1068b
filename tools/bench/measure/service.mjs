import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { startChild } from '../../setup/child.mjs';

const main = resolve(dirname(fileURLToPath(import.meta.url)), '../../../apps/standalone/dist/main.js');
/** Options of node and of malloc in `npm start`. */
const OPTIONS = ['--max-semi-space-size=16'];
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '131072' };
const SETTLED_MS = 1_800_000;

export const ORG = 'bench';

/**
 * Starts the built service as `npm start` does, on a free port with a new data folder.
 *
 * @param {readonly string[]} nodeArgs options of node, such as `--cpu-prof`
 * @param {string} script the started script; the service's main file unless given
 * @returns the child, `writer` and `reader` (keys of two members), `file` (its database), `settled`, `end` and `begin`, which end the process and
 *   start it again on its data, and `stop`, which removes them
 */
export async function startService(nodeArgs = [], script = main) {
  if (!existsSync(main)) throw new Error('apps/standalone is not built: run npm run build');
  const folder = mkdtempSync(join(tmpdir(), 'assurance-bench-'));
  const [writer, reader] = [newKey(), newKey()];
  const user = (name, key) => ({ name, email: `${name}@example.com`, api_keys: [{ key, description: 'bench' }] });
  const bootstrap = {
    users: [user('writer', writer), user('reader', reader)],
    organizations: [
      {
        name: ORG,
        members: [
          // History needs an admin.
          { user: 'writer', role: 'admin' },
          { user: 'reader', role: 'member' },
        ],
      },
    ],
  };
  // JSON is valid YAML.
  writeFileSync(join(folder, 'bootstrap.yaml'), JSON.stringify(bootstrap), { mode: 0o600 });
  const env = {
    ...MALLOC,
    ASSURANCE_PORT: '0',
    ASSURANCE_DATA_DIR: join(folder, 'data'),
    ASSURANCE_BOOTSTRAP_FILE: join(folder, 'bootstrap.yaml'),
  };
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const file = join(folder, 'data', 'assurance.db');
  let child;
  const service = {
    writer,
    reader,
    file,
    settled: () => settled(file),
    end: () => child.stop(),
    async begin() {
      const log = openSync(join(folder, 'log'), 'a');
      try {
        child = await startChild([...OPTIONS, ...nodeArgs, script], { env, stderr: log });
        const { pid, url, operations, tasks } = child;
        Object.assign(service, { pid, url, operations, tasks });
      } finally {
        closeSync(log);
      }
    },
    async stop() {
      await child.stop();
      process.off('exit', remove);
      remove();
    },
  };
  try {
    await service.begin();
    return service;
  } catch (fault) {
    remove();
    throw fault;
  }
}

function newKey() {
  return randomBytes(32).toString('base64url');
}

/** The file of derived documents beside that of commits. */
export function derivedOf(file) {
  return join(dirname(file), 'derived.db');
}

/** Waits until every consumer of the feed has processed all commits. */
async function settled(file) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    db.exec(`ATTACH '${derivedOf(file)}' AS derived`);
    const behind = db.prepare(
      'SELECT count(*) AS many FROM derived.positions WHERE position < (SELECT max(position) FROM commits)',
    );
    for (const until = Date.now() + SETTLED_MS; behind.get().many > 0; await sleep(10)) {
      if (Date.now() > until) throw new Error('the views did not take all commits in half an hour');
    }
  } finally {
    db.close();
  }
}
