// Stops the engines that `npm run engines` started (npm run engines:stop). Their data stays, unless --remove is given.
import { rmSync } from 'node:fs';
import { ENGINES } from './engines.ts';
import { folderOf, pidFile, runningPid } from './pids.ts';

for (const name of Object.keys(ENGINES)) {
  const pid = runningPid(name);
  if (pid !== null) {
    process.kill(pid, 'SIGTERM');
    while (runningPid(name) !== null) await new Promise((resolve) => setTimeout(resolve, 50));
    console.error(`${name} has ended`);
  }
  rmSync(process.argv.includes('--remove') ? folderOf(name) : pidFile(name), { recursive: true, force: true });
}
