// The reporter with Node inside, for machines without Node: Node's single executable application. The same files and Node give the same bytes.
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must } from '../common/command.ts';
import { root, temporaryFolder } from '../common/root.ts';
import type { Entry } from './archive.ts';

/** How Node finds out that a program is inside (nodejs.org/api/single-executable-applications.html). */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const PROGRAM = 'bin/assurance-reporter';

/** The system and processor of the binary that this machine makes, such as `linux-x64`. */
export const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * @param program one CommonJS file that needs Node's own modules alone
 * @returns an executable of this system and processor
 * @throws Error if npm installed no Node of this platform
 */
export function binaryOf(program: string): Buffer {
  const node = join(root, 'node_modules', `node-${PLATFORM}`, 'bin/node');
  if (!existsSync(node)) throw new Error(`${node} is missing: npm has no Node for ${PLATFORM}`);
  const cwd = temporaryFolder('reporter-binary');
  try {
    copyFileSync(program, join(cwd, 'main.js'));
    const config = { main: 'main.js', output: 'main.blob', disableExperimentalSEAWarning: true };
    writeFileSync(join(cwd, 'sea.json'), JSON.stringify(config));
    must(node, ['--experimental-sea-config', 'sea.json'], { cwd });
    copyFileSync(node, join(cwd, 'reporter'));
    chmodSync(join(cwd, 'reporter'), 0o755);
    const postject = join(root, 'node_modules/postject/dist/cli.js');
    must(node, [postject, 'reporter', 'NODE_SEA_BLOB', 'main.blob', '--sentinel-fuse', FUSE], { cwd });
    return readFileSync(join(cwd, 'reporter'));
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** The files of the reporter, with a program that needs no Node, and Node's licence. */
export function withNode(source: string, files: readonly Entry[]): Entry[] {
  const licence = readFileSync(join(root, 'node_modules', `node-${PLATFORM}`, 'LICENSE'));
  return [
    ...files.filter(({ name }) => name !== PROGRAM),
    { name: PROGRAM, content: binaryOf(join(source, 'apps/reporter/dist/main.js')), executable: true },
    { name: 'LICENSE-node', content: licence },
  ];
}
