import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/root.ts';

/** The data folder of an engine that `npm run engines` started. */
export function folderOf(name: string): string {
  return join(root, '.cache/engines/run', name);
}

export function pidFile(name: string): string {
  return join(folderOf(name), 'pid');
}

/** The process id of an engine that `npm run engines` started; null when it does not run. */
export function runningPid(name: string): number | null {
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
