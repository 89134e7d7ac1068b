import { join } from 'node:path';
import { checkOut } from '../common/checked-out.ts';
import { run } from '../common/command.ts';
import { madeOnce } from '../common/made-once.ts';
import { read, root } from '../common/root.ts';

/** The file that names the commit of the previous release. */
const NAMED = 'tools/drills/previous-release';

/**
 * Returns the folder `apps` of the previous release. Builds it once into `.cache/releases` from the commit that the file names.
 *
 * @throws Error if this clone does not have the commit or the build fails
 */
export function previousApps(): string {
  const commit = read(NAMED).trim();
  if (!run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).ok) {
    throw new Error(
      `${NAMED} names ${commit}, which is not in this clone: fetch the whole history (git fetch --unshallow origin).`,
    );
  }
  return join(
    madeOnce(`releases/${commit}`, (folder) => checkOut(commit, folder)),
    'apps',
  );
}
