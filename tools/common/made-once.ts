import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.ts';

/**
 * Makes a folder below `.cache` unless it is there, and returns its path. It is made elsewhere and renamed at the end, so that an interrupted one never
 * looks complete.
 *
 * @param name says the version of what is inside
 * @param make fills a folder, which exists; `aside` is for what is not kept
 */
export function madeOnce(name: string, make: (folder: string, aside: string) => void): string {
  const home = join(root, '.cache', name);
  if (existsSync(home)) return home;
  mkdirSync(dirname(home), { recursive: true });
  const aside = mkdtempSync(`${home}-`);
  const folder = join(aside, 'made');
  try {
    console.error(`making ${home} …`);
    mkdirSync(folder);
    make(folder, aside);
    // Another process may have made it meanwhile.
    if (!existsSync(home)) renameSync(folder, home);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return home;
}
