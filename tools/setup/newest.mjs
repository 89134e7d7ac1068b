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
 * The time of the newest of these files and of those in these folders, which are searched without `node_modules`.
 *
 * @param {readonly string[]} paths
 * @returns {number}
 */
export function newest(paths) {
  const times = paths.map((path) =>
    existsSync(path) && statSync(path).isDirectory()
      ? newest(
          readdirSync(path)
            .filter((name) => name !== 'node_modules')
            .map((name) => join(path, name)),
        )
      : timeOf(path),
  );
  return Math.max(0, ...times);
}
