// Checks docker-compose.yml as `docker compose config` does. Uses docker compose if it is installed. Otherwise Go builds its loader (compose-go) once
// into .cache. Exit code 1 if the file is wrong or cannot be checked.
//   npm run check:compose
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, run } from '../common/command.ts';
import { read, root, temporaryFolder } from '../common/root.ts';
import { goTool } from './go-tool.ts';

const env = { ...process.env, ASSURANCE_SECRET: 'x'.repeat(64) };
const folder = temporaryFolder('compose');
// The command of the loader knows no variables. Required ones get a value here.
const copy = join(folder, 'docker-compose.yml');
writeFileSync(copy, read('docker-compose.yml').replace(/\$\{\w+:\?[^}]*\}/g, env.ASSURANCE_SECRET));
const out = run('docker', ['compose', 'version']).ok
  ? must('docker', ['compose', '-f', join(root, 'docker-compose.yml'), 'config'], { env })
  : must(goTool('github.com/compose-spec/compose-go/v2/cmd', 'v2.9.0'), ['-format', 'json', copy], { cwd: folder });
if (!out.includes('gateway')) throw new Error(`docker-compose.yml was not read:\n${out}`);
console.log('docker-compose.yml is valid for docker compose.');
