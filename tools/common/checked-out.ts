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

/** Returns the folder `apps` of the previous release, built. */
export const previousApps = (): string => appsOf(read(PREVIOUS).trim(), `, which ${PREVIOUS} names`);

/**
 * Returns the folder `apps` of a commit. Builds it once into `.cache/releases`.
 *
 * @param why is said behind the name of a commit that this clone does not have
 * @throws Error if this clone does not have the commit or the build fails
 */
export function appsOf(commit: string, why = ''): string {
  const { ok, out } = run('git', ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], { cwd: root });
  if (!ok) {
    throw new Error(
      `This clone does not have commit ${commit}${why}: fetch the whole history (git fetch --unshallow origin).`,
    );
  }
  const whole = out.trim();
  return join(
    madeOnce(`releases/${whole}`, (folder) => checkOut(whole, folder)),
    'apps',
  );
}
