// Makes a clone ready to run: checks Node, installs packages when they are not those of the lock file, compiles what changed.
// Runs before `npm start` and `npm test`, in a clone where nothing is installed, so it uses Node's own modules alone.
// Says what it does on standard error: standard output belongs to the command that follows.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = [20, 19];
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const stampFile = join(root, 'node_modules', '.assurance-install.json');

checkNode();
installWhenChanged();
await import('./build.mjs');

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  stop(`This project needs Node ${OLDEST_NODE.join('.')} or later; this is Node ${process.versions.node}.`);
}

function installWhenChanged() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const wanted = {
    lock: createHash('sha256').update(lock).digest('hex'),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
  const found = stamp();
  const sameMachine = found.node === wanted.node && found.platform === wanted.platform;
  if (sameMachine && found.lock === wanted.lock) return;
  // After `npm install <package>` the lock file is new, and what it names is there already.
  if (!sameMachine || !isInstalled(JSON.parse(lock.toString()))) install();
  writeFileSync(stampFile, JSON.stringify(wanted));
}

function stamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {}; // none, or half written: install again
  }
}

/** Whether npm's own record of what it installed agrees with the lock file; optional packages of other platforms may be missing. */
function isInstalled(lock) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const there = JSON.parse(readFileSync(record, 'utf8')).packages;
  const named = Object.entries(lock.packages).filter(([path]) => path.startsWith('node_modules/'));
  return (
    named.every(([path, { version, integrity, optional }]) => {
      const found = there[path];
      return found === undefined ? optional === true : found.version === version && found.integrity === integrity;
    }) && Object.keys(there).every((path) => path in lock.packages)
  );
}

function install() {
  console.error('installing packages (npm ci) …');
  const started = Date.now();
  const cli = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const isNpm = cli !== undefined && basename(cli) === 'npm-cli.js';
  const { status, error } = spawnSync(isNpm ? process.execPath : 'npm', isNpm ? [cli, ...args] : args, {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 2, 2],
    shell: !isNpm && process.platform === 'win32',
  });
  if (error) stop(`npm could not be started: ${error.message}`);
  if (status !== 0) stop('npm ci failed; what it said is above.');
  console.error(`installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** The environment without what the outer npm says about its own script: an inner npm would take it for its own. */
function environment() {
  const foreign = /^npm_(lifecycle|package|command)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
