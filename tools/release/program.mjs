#!/usr/bin/env node
// Starts the service, or one of its programs. Becomes `bin/assurance` of a release.
const SERVICES = ['gateway', 'ingestion', 'projection', 'notification-dispatcher', 'audit-package'];
const USAGE = `Usage: assurance [PROGRAM] [WORDS…]

Without a program it starts the whole service in one process. Settings are environment variables.

  operate [NAME]       runs an operation, or lists them
  verify-package FILE  checks an audit package
  ${SERVICES.join(' | ')}
                       starts one of the five services, on MongoDB and Kafka
  --version            prints the release`;

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 16)) {
  console.error(`Deployment Assurance needs Node 24.16 or later; this is Node ${process.versions.node}.`);
  process.exit(1);
}
const { realpathSync } = process.getBuiltinModule('node:fs');
const { spawn } = process.getBuiltinModule('node:child_process');
const { dirname, join } = process.getBuiltinModule('node:path');

const folder = dirname(dirname(realpathSync(process.argv[1])));
const [name = '--start', ...words] = process.argv.slice(2);
const main = {
  '--start': 'apps/standalone/dist/main.js',
  operate: 'apps/operate/dist/main.js',
  'verify-package': 'node_modules/@assurance/audit/dist/package/main.js',
  ...Object.fromEntries(SERVICES.map((service) => [service, `apps/${service}/dist/main.js`])),
}[name === '--version' ? '--start' : name];
if (main === undefined) {
  console.error(USAGE);
  process.exit(name === '--help' ? 0 : 2);
}
const version = name === '--version' ? [name] : [];
const args = [process.execPath, '--max-semi-space-size=16', join(folder, main), ...version, ...words];
const env = {
  // Large blocks of memory go back to the system when they are freed.
  MALLOC_MMAP_THRESHOLD_: '131072',
  ASSURANCE_PAGES_DIR: join(folder, 'apps/web/dist'),
  ...process.env,
};
if (process.platform === 'win32') {
  spawn(args[0], args.slice(1), { env, stdio: 'inherit' }).once('exit', (code) => process.exit(code ?? 1));
} else {
  process.execve(process.execPath, args, env);
}
