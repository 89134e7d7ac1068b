import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../common/command.ts';
import { digestOf, root } from '../common/root.ts';

/**
 * Installs Python packages once into an environment of their own below `.cache`, and returns the folder of its commands.
 *
 * @param name tells the versions, so that other versions get another environment
 * @param packages what `pip install` is given
 * @throws Error if Python is missing or the installation fails
 */
export function pythonTools(name: string, ...packages: readonly string[]): string {
  const home = join(root, '.cache', name.replaceAll(/[^\w.-]+/g, '-'));
  const bin = join(home, 'bin');
  if (existsSync(join(home, 'complete'))) return bin;
  rmSync(home, { recursive: true, force: true });
  console.error(`installing ${name} …`);
  must('python3', ['-m', 'venv', home]);
  must(join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
  writeFileSync(join(home, 'complete'), '');
  return bin;
}

/** Installs what a file of the repository names with digests, in the same way. */
export function pinnedTools(name: string, requirements: string): string {
  return pythonTools(`${name}-${digestOf(requirements)}`, '--require-hashes', '-r', join(root, requirements));
}
