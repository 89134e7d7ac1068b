// Installs engines in a cache folder. A stamp file says which version is installed.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/root.ts';

export const here = import.meta.dirname;
const cache = join(root, '.cache/engines');

/**
 * Returns the folder of an engine. Installs the engine if the folder is missing or has another version than `pins` names. The installation happens
 * in another folder, which is renamed at the end, so that an interrupted installation never looks complete.
 *
 * @param pins file that pins versions and hashes
 * @param whole whether the folder can be used
 * @param fetch fills `home`; `aside` is a temporary folder that is removed afterwards
 */
export function fetched(
  name: string,
  pins: string,
  whole: (home: string) => boolean,
  fetch: (home: string, aside: string) => void,
): string {
  const home = join(cache, name);
  const stamp = join(home, 'stamp.json');
  const pinned = sha256(pins);
  const found = existsSync(stamp) ? (JSON.parse(readFileSync(stamp, 'utf8')) as { pinned?: string }) : {};
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

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
