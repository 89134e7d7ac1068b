// Checks docker-compose.yml as `docker compose config` does. Uses docker compose if it is installed. Otherwise Go builds its loader (compose-go) once
// into .cache. Exit code 1 if the file is wrong or cannot be checked.
//   npm run check:compose
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goTool } from './go-tool.mjs';

const LOADER = ['github.com/compose-spec/compose-go/v2/cmd', 'v2.9.0'];

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const file = join(root, 'docker-compose.yml');

function run(command, args, options = {}) {
  return spawnSync(command, args, { encoding: 'utf8', ...options });
}

function stop(...lines) {
  console.error(lines.join('\n'));
  process.exit(1);
}

const compose = run('docker', ['compose', 'version']);
const env = { ...process.env, ASSURANCE_SECRET: 'x'.repeat(64) };
const folder = mkdtempSync(join(tmpdir(), 'assurance-compose-'));
try {
  // The command of the loader knows no variables. Required ones get a value here.
  const copy = join(folder, 'docker-compose.yml');
  writeFileSync(copy, readFileSync(file, 'utf8').replace(/\$\{\w+:\?[^}]*\}/g, env.ASSURANCE_SECRET));
  const { status, stdout, stderr } =
    compose.status === 0
      ? run('docker', ['compose', '-f', file, 'config'], { env })
      : run(goTool(root, ...LOADER), ['-format', 'json', copy], { cwd: folder });
  if (status !== 0) stop('docker-compose.yml is wrong:', stderr);
  if (!stdout.includes('gateway')) stop('docker-compose.yml was not read:', stdout, stderr);
  console.log('docker-compose.yml is valid for docker compose.');
} finally {
  rmSync(folder, { recursive: true });
}
