import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const VERSION = 'v1.9.5';
/** Replacements of immudb's go.mod. Go ignores them for modules that require immudb. */
const GO_MOD = `module immudb

require github.com/codenotary/immudb ${VERSION}

replace github.com/takama/daemon => github.com/codenotary/daemon v0.0.0-20200507161650-3d4bcb5230f4

replace github.com/spf13/afero => github.com/spf13/afero v1.5.1
`;
const COLLECTION = 'reports';
const READY_MS = 60_000;

/**
 * Starts a server of immudb, an append-only database with proofs, as an alternative store that reveals changed reports. Go builds it once.
 *
 * @returns `pid`, `url`, `session` (the header that its requests need), `path` (where documents are inserted), `stop`
 */
export async function startImmudb() {
  const program = built();
  const folder = mkdtempSync(join(tmpdir(), 'assurance-bench-immudb-'));
  const [port, web] = [await freePort(), await freePort()];
  const options = ['--dir', folder, '--address', '127.0.0.1', '--port', `${port}`, '--web-server-port', `${web}`];
  const off = ['--metrics-server=false', '--pgsql-server=false', '--web-server', '--synced'];
  const child = spawn(program, [...options, ...off], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const kill = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', kill);
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    process.off('exit', kill);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const url = `http://127.0.0.1:${web}`;
    const session = { 'grpc-metadata-sessionid': await sessionOn(url) };
    const fields = [{ name: 'environment', type: 'STRING' }];
    const collection = { name: COLLECTION, fields, indexes: [{ fields: ['environment'] }] };
    const path = `/api/v2/collection/${COLLECTION}`;
    await post(url + path, collection, session);
    return { pid: child.pid, url, session, path: `${path}/documents`, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

function built() {
  const folder = join(root, '.cache', `immudb-${VERSION}`);
  const program = join(folder, 'immudb');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'go.mod'), GO_MOD);
  console.error(`  building immudb ${VERSION} …`);
  const { status, error, stderr } = spawnSync(
    'go',
    ['build', '-mod=mod', '-o', program, 'github.com/codenotary/immudb/cmd/immudb'],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, GOTOOLCHAIN: 'local' } },
  );
  if (error) throw new Error(`Go is needed to build immudb, and it is not there: ${error.message}`);
  if (status !== 0) throw new Error(`immudb ${VERSION} cannot be built:\n${stderr}`);
  return program;
}

async function sessionOn(url) {
  const login = { username: 'immudb', password: 'immudb', database: 'defaultdb' };
  for (const until = Date.now() + READY_MS; ; await sleep(50)) {
    try {
      return (await post(`${url}/api/v2/authorization/session/open`, login)).sessionID;
    } catch (fault) {
      if (Date.now() > until) throw fault;
    }
  }
}

async function post(url, body, headers = {}) {
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`immudb answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
