import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { environment, must, run, show } from './command.ts';
import { madeOnce } from './made-once.ts';
import { read, root } from './root.ts';

/** The file that names the commit of the previous release. */
const PREVIOUS = 'tools/common/previous-release';

/** Builds a commit in a new folder, with packages as its lock file names them. */
export function checkOut(commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  must('git', ['archive', `--output=${folder}.tar`, commit], { cwd: root });
  must('tar', ['xf', `${folder}.tar`], { cwd: folder });
  rmSync(`${folder}.tar`);
  show(process.execPath, ['tools/setup/prepare.mjs', '--omit=dev'], { cwd: folder, env: environment() });
}

/**
 * Returns the folder `apps` of the previous release. Builds it once into `.cache/releases`.
 *
 * @throws Error if this clone does not have its commit or the build fails
 */
export function previousApps(): string {
  const commit = read(PREVIOUS).trim();
  if (!run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).ok) {
    throw new Error(
      `${PREVIOUS} names ${commit}, which is not in this clone: fetch the whole history (git fetch --unshallow origin).`,
    );
  }
  return join(
    madeOnce(`releases/${commit}`, (folder) => checkOut(commit, folder)),
    'apps',
  );
}
