import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { run, show } from '../common/command.ts';
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
  const home = join(root, '.cache/releases', commit);
  if (!existsSync(home)) build(commit, home);
  return join(home, 'apps');
}

/** Builds in another folder and renames it, so that an interrupted build never looks complete. */
function build(commit: string, home: string): void {
  if (!run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).ok) {
    throw new Error(
      `${NAMED} names ${commit}, which is not in this clone: fetch the whole history (git fetch --unshallow origin).`,
    );
  }
  console.error(`building the release before this one, ${commit.slice(0, 7)} …`);
  const aside = `${home}.building`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  const files = `${aside}.tar`;
  show('git', ['archive', '--output', files, commit], root);
  show('tar', ['-xf', files, '-C', aside], root);
  rmSync(files);
  // npm needs a minute and a half of CPU time for packages that are here already.
  if (hasSamePackages(aside)) {
    copyPackages(aside);
    show(process.execPath, ['tools/setup/build.mjs'], aside);
  } else {
    show(process.execPath, ['tools/setup/prepare.mjs'], aside);
  }
  renameSync(aside, home);
}

/** Whether the lock file of a release names the packages that are installed here, apart from tools of developers that this release has no longer. */
function hasSamePackages(release: string): boolean {
  const ours = packagesOf(join(root, 'node_modules/.package-lock.json'));
  return Object.entries(packagesOf(join(release, 'package-lock.json'))).every(
    ([path, { link, dev, optional, integrity }]) => {
      if (link || !path.includes('node_modules/')) return true;
      const own = ours[path];
      return own === undefined ? Boolean(dev || optional) : own.integrity === integrity;
    },
  );
}

/** Gives a release the packages that are installed here, as hard links, and links to its own projects. */
function copyPackages(release: string): void {
  show('cp', ['-RPl', join(root, 'node_modules'), release], root);
  for (const [path] of linksOf(join(root, 'package-lock.json'))) rmSync(join(release, path), { force: true });
  for (const [path, { resolved }] of linksOf(join(release, 'package-lock.json'))) {
    const link = join(release, path);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(release, resolved ?? '')), link);
  }
}

interface Package {
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
}

function linksOf(lock: string): readonly (readonly [string, Package])[] {
  return Object.entries(packagesOf(lock)).filter(([, { link }]) => link);
}

function packagesOf(lock: string): Readonly<Record<string, Package>> {
  return (JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, Package> }).packages;
}
