// Builds a release into dist/release.
//   ASSURANCE_RELEASE_KEY=… npm run release -- VERSION       of the commit, in a folder of its own; the setting holds an Ed25519 key (PEM)
//   npm run release -- VERSION --dry-run [--here] [--out F]  signs with a new key unless there is one; --here: of the files as they are
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkOut } from '../common/checked-out.ts';
import { messageOf, must, stop } from '../common/command.ts';
import { read, root, temporaryFolder } from '../common/root.ts';
import { type Entry, filesOf, tarball } from './archive.ts';
import { notesOf, placesOf, refuseUnreleased } from './changelog.ts';
import { type Origin, provenanceName, provenanceOf, sbomName, sbomOf, sha256, signed, subjectOf } from './evidence.ts';
import { PLATFORMS, withNode } from './reporter-binary.ts';
import { reporterOf, serviceOf } from './stage.ts';

/** Files that name the release. */
const NAMED = [
  ['package.json', /^ {2}"version": "(.+)"/m],
  ['libs/kernel/src/version.ts', /VERSION = '(.+)'/],
  ['deploy/helm/assurance/Chart.yaml', /^version: (.+)$/m],
  ['deploy/helm/assurance/Chart.yaml', /^appVersion: (.+)$/m],
  ['docs/operating/upgrade.md', /^# Upgrade to (.+)$/m],
] as const;

const { values, positionals } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    here: { type: 'boolean', default: false },
    out: { type: 'string', default: 'dist/release' },
  },
  allowPositionals: true,
});

try {
  await release(positionals[0] ?? stop('Name the version: npm run release -- VERSION'));
} catch (fault) {
  stop(messageOf(fault));
}

async function release(version: string): Promise<void> {
  const dry = values['dry-run'];
  if (values.here && !dry) throw new Error('--here is for --dry-run: a release is made of a commit');
  const changelog = read('CHANGELOG.md');
  if (!dry) refuseUnreleased(changelog);
  const notes = notesOf(changelog, version);
  for (const [file, pattern] of NAMED) {
    const named = pattern.exec(read(file))?.[1];
    if (named !== version) throw new Error(`${file} names the version ${named}, not ${version}`);
  }
  if (!dry && must('git', ['status', '--porcelain'], { cwd: root }) !== '') {
    throw new Error('There are changes that no commit has. Commit them, or use --dry-run');
  }
  const key = signingKey(dry);
  const work = temporaryFolder('release');
  const source = values.here ? root : join(work, 'source');
  if (!values.here) checkOut('HEAD', source);
  const time = Number(must('git', ['log', '-1', '--format=%ct'], { cwd: root }));
  const files = await artifactsOf(source, version, time, work);
  files.set('RELEASE-NOTES.md', Buffer.from(`${notes}\n${placesOf(version, process.env)}`));
  const { GITHUB_SERVER_URL: host, GITHUB_WORKFLOW_REF: workflow } = process.env;
  const origin: Origin = {
    version,
    commit: must('git', ['rev-parse', 'HEAD'], { cwd: root }).trim(),
    lock: sha256(readFileSync(join(source, 'package-lock.json'))),
    builder: workflow === undefined ? 'urn:deployment-assurance:machine' : `${host}/${workflow}`,
  };
  files.set(provenanceName(version), provenanceOf(new Map(files), origin, key));
  const out = resolve(root, values.out);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [name, bytes] of signed(files, key)) writeFileSync(join(out, name), bytes);
  console.log(`${values.out} has release ${version} of ${origin.commit}`);
}

function signingKey(dry: boolean) {
  const { ASSURANCE_RELEASE_KEY: pem } = process.env;
  if (pem !== undefined && pem !== '') return createPrivateKey(pem);
  if (!dry) throw new Error('Set ASSURANCE_RELEASE_KEY to the Ed25519 key (PEM) that signs releases');
  return generateKeyPairSync('ed25519').privateKey;
}

async function artifactsOf(source: string, version: string, time: number, work: string): Promise<Map<string, Buffer>> {
  const service = serviceOf(source);
  const name = `deployment-assurance-${version}`;
  const reporter = `assurance-reporter-${version}`;
  const files = new Map([
    [`${name}.tar.gz`, await tarball(name, service, time)],
    [`${name}.tgz`, await tarball('package', service, time)],
    [`${reporter}.tar.gz`, await tarball(reporter, reporterOf(source), time)],
  ]);
  for (const platform of PLATFORMS) {
    const entries = withNode(source, reporterOf(source), platform);
    files.set(`${reporter}-${platform}.tar.gz`, await tarball(reporter, entries, time));
  }
  for (const chart of readdirSync(join(source, 'deploy/helm'))) {
    files.set(`${chart}-${version}.tgz`, await tarball(chart, filesOf(join(source, 'deploy/helm', chart)), time));
  }
  const unpacked = join(work, 'unpacked');
  unpack(unpacked, service);
  const archives = new Map([...files].filter(([file]) => file.startsWith(`${name}.`)));
  return files.set(sbomName(version), sbomOf(unpacked, packagesOfPages(source), subjectOf(version, archives)));
}

function unpack(folder: string, entries: readonly Entry[]): void {
  for (const { name, content } of entries) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** The packages that Vite put into the pages. */
function packagesOfPages(source: string): string[] {
  const text = readFileSync(join(source, 'apps/web/dist/NOTICES.txt'), 'utf8');
  return [...text.matchAll(/^## (\S+) - (\S+) \(/gm)].map(([, name, version]) => `${name}@${version}`);
}
