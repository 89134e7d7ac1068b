import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
/** The file that names the commit of the previous release. */
const NAMED = 'tools/drills/previous-release';

/**
 * Returns the folder `apps` of the previous release. Builds it once into `.cache/releases` from the commit that the file names.
 *
 * @throws Error if this clone does not have the commit or the build fails
 */
export function previousApps() {
  const commit = readFileSync(join(root, NAMED), 'utf8').trim();
  const home = join(root, '.cache/releases', commit);
  if (!existsSync(home)) build(commit, home);
  return join(home, 'apps');
}

/** Builds in another folder and renames it, so that an interrupted build never looks complete. */
function build(commit, home) {
  if (spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status !== 0) {
    throw new Error(
      `${NAMED} names ${commit}, which is not in this clone: fetch the whole history (git fetch --unshallow origin).`,
    );
  }
  console.error(`building the release before this one, ${commit.slice(0, 7)} …`);
  const aside = `${home}.building`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  const files = `${aside}.tar`;
  run('git', ['archive', '--output', files, commit], root);
  run('tar', ['-xf', files, '-C', aside], root);
  rmSync(files);
  run(process.execPath, ['tools/setup/prepare.mjs'], aside);
  renameSync(aside, home);
}

function run(command, args, cwd) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: ['ignore', 2, 2] });
  if (error || status !== 0) throw new Error(`${command} ${args.join(' ')} failed in ${cwd}; what it said is above`);
}
