import { execFileSync } from 'node:child_process';
import { ROOT, TOOLS } from './run';

/** Before the first spec of Jest's project `deploy`: installs what specs run, where it is not there yet. */
function install(): void {
  process.env[TOOLS] = execFileSync(process.execPath, ['tools/ci/deploy.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

export = install;
