// Builds a release of the commit in a folder of its own and of the files as they are, compares all bytes but those of signatures, changes
// each file, and installs the tarball and the package by the commands of the page about installation.
//   npm run check:release [-- --once]   with --once it builds in one folder and compares nothing
import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGroup } from '../common/child.ts';
import { must, run, show } from '../common/command.ts';
import { read, root, temporaryFolder } from '../common/root.ts';
import { blocksBelow, steps } from '../ci/readme/commands.ts';
import { faultsOf, pemOf } from './evidence.ts';
import { PLATFORM, platformOf, PLATFORMS } from './reporter-binary.ts';

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

/** Runs what the page about installation says of the files and of the reporter, as somebody does who left out one of the files. */
function followPage(): void {
  rmSync(join(place, `${name}.cdx.json`));
  const page = read('docs/operating/install.md').replaceAll('VERSION', version);
  for (const heading of ['## Check the files', '## The reporter']) {
    for (const { command } of steps(blocksBelow(page, heading))) must('bash', ['-ec', command.text], { cwd: place });
  }
}

async function install(): Promise<void> {
  mkdirSync(place);
  for (const file of readdirSync(clone)) copyFileSync(join(clone, file), join(place, file));
  // Node alone: nothing of this repository is near.
  must('tar', ['xf', `${name}.tar.gz`], { cwd: place });
  followPage();
  await serves('the tarball', process.execPath, [join(place, name, 'bin/assurance')]);
  const offline = { npm_config_offline: 'true', npm_config_cache: join(place, 'cache') };
  await serves('the package', 'npx', ['--yes', `file:${name}.tgz`], offline);
  for (const platform of PLATFORMS) {
    const alone = join(place, platform);
    mkdirSync(alone);
    must('tar', ['xf', join(clone, `assurance-reporter-${version}-${platform}.tar.gz`)], { cwd: alone });
    const program = join(alone, `assurance-reporter-${version}/bin/assurance-reporter`);
    const is = platformOf(readFileSync(program));
    if (is !== platform) throw new Error(`the reporter of ${platform} is for ${is}`);
    // This machine runs its own alone.
    if (platform === PLATFORM) must(program, ['--version']);
  }
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
