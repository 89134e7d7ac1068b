// Builds a release of the commit in a folder of its own and of the files as they are, compares all bytes but those of signatures, changes
// each file, and installs the tarball and the package by the commands of the page about installation.
//   npm run check:release [-- --once]   with --once it builds in one folder and compares nothing
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGroup } from '../common/child.ts';
import { must, run, show } from '../common/command.ts';
import { read, root, temporaryFolder } from '../common/root.ts';
import { faultsOf, pemOf } from './evidence.ts';
import { PLATFORM } from './reporter-binary.ts';

/** What a signature of another key makes different. */
const SIGNED = /\.intoto\.json$|^SHA256SUMS|^release\.pub$/;
const work = temporaryFolder('check-release');
const once = process.argv.includes('--once');
const [here, place] = ['here', 'place'].map((name) => join(work, name)) as [string, string];
const clone = once ? here : join(work, 'clone');
const { version } = JSON.parse(read('package.json')) as { version: string };
const name = `deployment-assurance-${version}`;

const build = ['tools/release/release.ts', version, '--dry-run', '--out'];
show(process.execPath, [...build, here, '--here'], { cwd: root });
if (!once) {
  show(process.execPath, [...build, clone], { cwd: root });
  compare();
}
damage();
await install();
const same = once ? '' : 'has the same bytes from two folders, and ';
console.log(`Release ${version} ${same}starts from its tarball and its package`);

function compare(): void {
  for (const file of readdirSync(clone).filter((one) => !SIGNED.test(one))) {
    if (!readFileSync(join(clone, file)).equals(readFileSync(join(here, file))))
      throw new Error(`${file} has other bytes`);
  }
}

/** Changes each file of the release in turn, removes it, adds one, and takes another key: nothing of that passes. */
function damage(): void {
  const verify = () => run(process.execPath, ['tools/release/verify.ts', here], { cwd: root });
  if (!verify().ok) throw new Error(`verify-release: ${verify().stderr}`);
  const refuse = (what: string, key: string | null = null) => {
    if (faultsOf(here, key).length === 0) throw new Error(`verify-release takes ${what}`);
  };
  for (const file of readdirSync(here)) {
    const path = join(here, file);
    const bytes = readFileSync(path);
    for (const at of [0, bytes.length >> 1, bytes.length - 1]) {
      const other = Buffer.from(bytes);
      other[at]! ^= 1;
      writeFileSync(path, other);
      refuse(`${file} with another byte ${at}`);
    }
    rmSync(path);
    refuse(`a release without ${file}`);
    writeFileSync(path, bytes);
  }
  refuse('another key', pemOf(generateKeyPairSync('ed25519').privateKey));
  writeFileSync(join(here, 'more'), '');
  refuse('a file more');
  if (verify().ok) throw new Error('verify-release ends with 0 in spite of a fault');
  const unwritten = run(process.execPath, ['tools/release/release.ts', '99.0.0', '--dry-run'], { cwd: root });
  if (!unwritten.stderr.includes('CHANGELOG.md has no section')) throw new Error('a release needs no changelog');
}

/** Starts the service by a command, looks at its pages and its version, and ends it with all that the command started. */
async function serves(
  what: string,
  command: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const data = join(place, `data of ${what}`);
  const own = { ASSURANCE_PORT: '0', ASSURANCE_OPERATIONS_PORT: '0', ASSURANCE_DATA_DIR: data };
  await using service = await startGroup(command, args, { cwd: clone, env: { ...own, ...more } });
  const page = await fetch(service.url, { headers: { accept: 'text/html' } });
  const metrics = await (await fetch(`${service.operations}/metrics`)).text();
  if (page.status !== 200 || !metrics.includes(`assurance_build_info{version="${version}"`)) {
    throw new Error(`the service of ${what} shows no pages or no version`);
  }
}

async function install(): Promise<void> {
  mkdirSync(place);
  // Node alone: nothing of this repository is near.
  must('tar', ['xf', join(clone, `${name}.tar.gz`)], { cwd: place });
  await serves('the tarball', process.execPath, [join(place, name, 'bin/assurance')]);
  const offline = { npm_config_offline: 'true', npm_config_cache: join(place, 'cache') };
  await serves('the package', 'npx', ['--yes', `file:${name}.tgz`], offline);
  must('tar', ['xf', join(clone, `assurance-reporter-${version}.tar.gz`)], { cwd: place });
  must(process.execPath, [join(place, `assurance-reporter-${version}/bin/assurance-reporter`), '--version']);
  const alone = join(place, 'alone');
  mkdirSync(alone);
  must('tar', ['xf', join(clone, `assurance-reporter-${version}-${PLATFORM}.tar.gz`)], { cwd: alone });
  must(join(alone, `assurance-reporter-${version}/bin/assurance-reporter`), ['--version']);
  // Somebody who has the archives alone reads these.
  for (const page of [`${name}/docs/operating/install.md`, `assurance-reporter-${version}/docs/using/reporter.md`]) {
    if (!existsSync(join(place, page))) throw new Error(`${page} is not in its archive`);
  }
  // What the pages about machines copy.
  for (const folder of [name, `assurance-reporter-${version}`]) {
    const units = readdirSync(join(place, folder, 'deploy/systemd'));
    if (!units.some((unit) => unit.endsWith('.service'))) throw new Error(`${folder} has no unit of systemd`);
  }
}
