import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { here } from './fetch.mjs';

/** The data folder of an engine that `npm run engines` started. */
export function folderOf(name) {
  return resolve(here, '../../.cache/engines/run', name);
}

export function pidFile(name) {
  return join(folderOf(name), 'pid');
}

/** The process id of an engine that `npm run engines` started; null when it does not run. */
export function runningPid(name) {
  if (!existsSync(pidFile(name))) return null;
  const pid = Number(readFileSync(pidFile(name), 'utf8'));
  try {
    // Another process may have the number now. It is the engine only if it runs in the engine's folder.
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return command.includes(folderOf(name)) ? pid : null;
  } catch {
    return null;
  }
}
