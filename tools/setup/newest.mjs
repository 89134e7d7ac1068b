// @ts-check
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * When a file was last written (milliseconds since 1970); 0 if there is none.
 *
 * @param {string} path
 */
export const timeOf = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0);

/**
 * The files below a folder; none if it does not exist.
 *
 * @param {string} folder
 */
export function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * The time of the newest of these files and of those below these folders.
 *
 * @param {readonly string[]} paths
 */
export function newest(paths) {
  const files = paths.flatMap((path) => (timeOf(path) > 0 && statSync(path).isDirectory() ? filesBelow(path) : path));
  return files.reduce((latest, file) => Math.max(latest, timeOf(file)), 0);
}
