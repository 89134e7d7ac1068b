// The reporter with Node inside, for machines without Node: Node's single executable application. The same files and Node give the same bytes.
import { hash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment, must } from '../common/command.ts';
import { root, temporaryFolder } from '../common/root.ts';
import type { Entry } from './archive.ts';
import { lockOf } from './licences.ts';

/** How Node finds out that a program is inside (nodejs.org/api/single-executable-applications.html). */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const PROGRAM = 'bin/assurance-reporter';

/** The systems and processors that a release has executables for. */
export const PLATFORMS = ['linux-x64', 'linux-arm64'] as const;
/** The system and processor of this machine, such as `linux-x64`. */
export const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * @param program one CommonJS file that needs Node's own modules alone
 * @param node the folder of Node for the platform of the executable; see `nodeOf`
 * @returns an executable of that system and processor; this machine needs not be able to run it
 * @throws Error if npm has no Node for this machine
 */
export function binaryOf(program: string, node = nodeOf(PLATFORM)): Buffer {
  const cwd = temporaryFolder('reporter-binary');
  const own = join(nodeOf(PLATFORM), 'bin/node');
  try {
    copyFileSync(program, join(cwd, 'main.js'));
    // Neither a snapshot nor compiled code: those would be of this machine.
    const config = { main: 'main.js', output: 'main.blob', disableExperimentalSEAWarning: true };
    writeFileSync(join(cwd, 'sea.json'), JSON.stringify(config));
    must(own, ['--experimental-sea-config', 'sea.json'], { cwd });
    copyFileSync(join(node, 'bin/node'), join(cwd, 'reporter'));
    chmodSync(join(cwd, 'reporter'), 0o755);
    const postject = join(root, 'node_modules/postject/dist/cli.js');
    must(own, [postject, 'reporter', 'NODE_SEA_BLOB', 'main.blob', '--sentinel-fuse', FUSE], { cwd });
    return readFileSync(join(cwd, 'reporter'));
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** The files of the reporter, with a program of this platform that needs no Node, and Node's licence. */
export function withNode(source: string, files: readonly Entry[], platform: string): Entry[] {
  const node = nodeOf(platform);
  return [
    ...files.filter(({ name }) => name !== PROGRAM),
    { name: PROGRAM, content: binaryOf(join(source, 'apps/reporter/dist/main.js'), node), executable: true },
    { name: 'LICENSE-node', content: readFileSync(join(node, 'LICENSE')) },
  ];
}

/**
 * The folder of npm's Node for a platform: what npm installed here, or else what the registry has and the lock file names.
 *
 * @throws Error if the lock file names none, or the registry has another content
 */
export function nodeOf(platform: string, lock = lockOf(root)): string {
  const at = `node_modules/node-${platform}`;
  if (existsSync(join(root, at, 'bin/node'))) return join(root, at);
  const { version, integrity } = lock[at] ?? {};
  if (version === undefined || integrity === undefined) throw new Error(`npm has no Node for ${platform}`);
  const cwd = temporaryFolder(`node-${platform}`);
  const pack = ['pack', '--silent', '--prefer-offline', `node-${platform}@${version}`];
  const archive = must('npm', pack, { cwd, env: environment() }).trim();
  refuseOther(archive, readFileSync(join(cwd, archive)), integrity);
  must('tar', ['xf', archive], { cwd });
  return join(cwd, 'package');
}

/**
 * @param integrity what the lock file names, such as `sha512-…` in base64
 * @throws Error if these bytes are others
 */
export function refuseOther(name: string, bytes: Uint8Array, integrity: string): void {
  const found = `sha512-${hash('sha512', bytes, 'base64')}`;
  if (found !== integrity) throw new Error(`${name} is ${found}, and the lock file names ${integrity}`);
}

/** The system and processor that an ELF executable is for, such as `linux-x64`; null for other files. */
export function platformOf(executable: Buffer): string | null {
  const isElf = executable.subarray(0, 4).equals(Buffer.from('\x7fELF', 'latin1'));
  const processor = { 0x3e: 'x64', 0xb7: 'arm64' }[isElf ? executable.readUInt16LE(18) : 0];
  return processor === undefined ? null : `linux-${processor}`;
}
