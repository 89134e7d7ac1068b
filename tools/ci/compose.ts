// Checks docker-compose.yml as `docker compose config` does. Uses docker compose if it is installed. Otherwise Go builds its loader (compose-go) once
// into .cache. Exit code 1 if the file is wrong or cannot be checked.
//   npm run check:compose
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must, run } from '../common/command.ts';
import { root } from '../common/root.ts';
import { goTool } from './go-tool.ts';

const file = join(root, 'docker-compose.yml');
const env = { ...process.env, ASSURANCE_SECRET: 'x'.repeat(64) };
const folder = mkdtempSync(join(tmpdir(), 'assurance-compose-'));
try {
  // The command of the loader knows no variables. Required ones get a value here.
  const copy = join(folder, 'docker-compose.yml');
  writeFileSync(copy, readFileSync(file, 'utf8').replace(/\$\{\w+:\?[^}]*\}/g, env.ASSURANCE_SECRET));
  const out = run('docker', ['compose', 'version']).ok
    ? must('docker', ['compose', '-f', file, 'config'], { env })
    : must(goTool('github.com/compose-spec/compose-go/v2/cmd', 'v2.9.0'), ['-format', 'json', copy], { cwd: folder });
  if (!out.includes('gateway')) throw new Error(`docker-compose.yml was not read:\n${out}`);
  console.log('docker-compose.yml is valid for docker compose.');
} finally {
  rmSync(folder, { recursive: true });
}
