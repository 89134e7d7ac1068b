// Installs engines in a cache folder. A stamp file says which version is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));
const cache = resolve(here, '../../.cache/engines');

/**
 * Returns the folder of an engine. Installs the engine if the folder is missing or has another version than `pins` names. The installation happens
 * in another folder, which is renamed at the end, so that an interrupted installation never looks complete.
 *
 * @param {string} name
 * @param {string} pins file that pins versions and hashes
 * @param {(home: string) => boolean} whole whether the folder can be used
 * @param {(home: string, aside: string) => void} fetch fills `home`; `aside` is a temporary folder that is removed afterwards
 */
export function fetched(name, pins, whole, fetch) {
  const home = join(cache, name);
  const stamp = join(home, 'stamp.json');
  const pinned = sha256(pins);
  const found = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : {};
  if (found.pinned === pinned && whole(home)) return home;

  mkdirSync(cache, { recursive: true });
  const aside = mkdtempSync(join(cache, 'fetch-'));
  try {
    const next = join(aside, 'home');
    mkdirSync(next);
    fetch(next, aside);
    writeFileSync(join(next, 'stamp.json'), JSON.stringify({ pinned }));
    rmSync(home, { recursive: true, force: true });
    renameSync(next, home);
    console.error(`${name} is in ${home}`);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return home;
}

/** Runs a command with its output on standard error. */
export function run(command, args, what) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2] });
  if (error) stop(`${command} could not be started (${error.message}); ${what}.`);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed; its output is above.`);
}

export function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

export function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
