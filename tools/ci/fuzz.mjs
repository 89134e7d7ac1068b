// Starts the service with `npm start`, fills it with the data of the demo, and sends requests that schemathesis generates from the OpenAPI document.
// Checks every answer: no 5xx, no undocumented status or media type, and a body that matches its schema.
//   npm run check:fuzz                             a new seed, which is printed
//   npm run check:fuzz -- --seed 7                 the same requests again
//   npm run check:fuzz -- --examples 50 --seconds 600 --only putFlow    more, of one operation
// Needs Python 3.10 or later. Schemathesis is installed once into `.cache`, by the digests of fuzz/requirements.txt.
import { spawnSync } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { npmStart } from './readme/service.mjs';

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
/** Values for path parameters: names of the demo, so that answers have content, and names that do not exist. */
const NAMES = {
  org: ['admin'],
  env: ['demo-production', 'demo-staging', 'fuzzed'],
  flow: ['demo-web', 'demo-checkout', 'fuzzed'],
};

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const requirements = join(root, 'tools/ci/fuzz/requirements.txt');
const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    examples: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '75' },
    only: { type: 'string' },
  },
});

function run(command, args, options = {}) {
  const { error, status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  if (error) throw error;
  return status;
}

/** Returns the folder of a Python environment with the packages of the requirements file. */
function installed() {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const place = join(root, '.cache', `schemathesis-${digest}`);
  if (existsSync(join(place, 'complete'))) return place;
  rmSync(place, { recursive: true, force: true });
  console.error('installing schemathesis …');
  const python = join(place, 'bin', 'python');
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--require-hashes',
    '-r',
    requirements,
  ];
  if (run('python3', ['-m', 'venv', place]) !== 0 || run(python, pip) !== 0) {
    throw new Error('schemathesis cannot be installed: it needs Python 3.10 or later with venv, and a package index');
  }
  writeFileSync(join(place, 'complete'), '');
  return place;
}

/** Counts the answers by status. */
function statuses(har) {
  const counts = new Map();
  for (const { response } of JSON.parse(readFileSync(har, 'utf8')).log.entries) {
    counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
  }
  return [...counts].sort(([one], [other]) => one - other);
}

/**
 * Returns the document with names that exist as the only values of path parameters. Otherwise nearly every request would name another organization
 * and get 403.
 */
async function narrowed(address) {
  const answer = await fetch(address);
  const document = await answer.json();
  const prefix = new URL(document.servers[0].url).pathname;
  // Paths outside of the API name another server. All paths move below one host.
  const paths = Object.entries(document.paths).map(([path, { servers, ...item }]) => {
    for (const { parameters = [] } of Object.values(item)) {
      for (const parameter of parameters) {
        if (parameter.in === 'path' && parameter.name in NAMES) parameter.schema = { enum: NAMES[parameter.name] };
      }
    }
    return [servers === undefined ? `${prefix}${path}` : path, item];
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

const place = installed();
const folder = mkdtempSync(join(tmpdir(), 'assurance-fuzz-'));
const service = await npmStart(root, {
  ASSURANCE_PORT: '0',
  ASSURANCE_DATA_DIR: join(folder, 'data'),
  ASSURANCE_LOG_LEVEL: 'error',
});
try {
  const host = service.host.replace('127.0.0.1', 'localhost');
  const env = { ...process.env, HOST: host, KEY: service.key };
  if (run('npm', ['run', '--silent', 'demo'], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] }) !== 0) {
    throw new Error('the demo cannot fill the service');
  }
  const har = join(folder, 'answers.har');
  const document = join(folder, 'openapi.json');
  writeFileSync(document, JSON.stringify(await narrowed(`${host}/api/v2/openapi.json`)));
  console.log(`seed ${given.seed}: npm run check:fuzz -- --seed ${given.seed}`);
  process.exitCode = run(
    join(place, 'bin', 'schemathesis'),
    [
      ...[
        'run',
        document,
        '--url',
        host,
        '--header',
        `Authorization: Bearer ${service.key}`,
        '--no-color',
        '--warnings',
        'off',
      ],
      ...['--phases', 'examples,coverage,fuzzing', '--checks', CHECKS.join(',')],
      ...['--seed', given.seed, '--max-examples', given.examples, '--max-time', given.seconds, '--no-shrink'],
      ...['--report', 'har', '--report-har-path', har],
      ...['--generation-database', 'none', '--continue-on-failure', '--request-timeout', '20'],
      // Its answer never ends.
      ...['--exclude-operation-id', 'followChanges'],
      ...(given.only === undefined ? [] : ['--include-operation-id', given.only]),
    ],
    { cwd: folder, env: { ...process.env, SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: join(root, 'tools/ci/fuzz') } },
  );
  const counts = statuses(har);
  console.log(`answers by status: ${counts.map(([status, count]) => `${status}: ${count}`).join(', ')}`);
  // If no route accepts any request, the run says nothing about answers.
  if (given.only === undefined && !counts.some(([status]) => status === 200)) process.exitCode = 1;
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}
