// Starts the service with `npm start`, fills it with the data of the demo, and sends requests that schemathesis generates from the OpenAPI document.
// Checks every answer: no 5xx, no undocumented status or media type, and a body that matches its schema.
//   npm run check:fuzz                             a new seed, which is printed
//   npm run check:fuzz -- --seed 7                 the same requests again
//   npm run check:fuzz -- --examples 50 --seconds 600 --only putFlow    more, of one operation
// Needs Python 3.10 or later. Schemathesis is installed once into `.cache`, by the digests of fuzz/requirements.txt.
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeDemo } from '@assurance/web/demo';
import { keyOf, npmStart } from '../common/child.ts';
import { run } from '../common/command.ts';
import { root, temporaryFolder } from '../common/root.ts';
import { pinnedTools } from './python.ts';

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];
/** Values for path parameters: names of the demo, so that answers have content, and names that do not exist. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  org: ['admin'],
  env: ['demo-production', 'demo-staging', 'fuzzed'],
  flow: ['demo-web', 'demo-checkout', 'fuzzed'],
};
const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    examples: { type: 'string', default: '4' },
    seconds: { type: 'string', default: '75' },
    only: { type: 'string' },
  },
});

interface Operation {
  readonly parameters?: { readonly in: string; readonly name: string; schema: unknown }[];
}
type Item = Readonly<Record<string, Operation>> & { readonly servers?: unknown };

/**
 * Returns the document with names that exist as the only values of path parameters. Otherwise nearly every request would name another organization
 * and get 403.
 */
async function narrowed(address: string): Promise<object> {
  const document = (await (await fetch(address)).json()) as { servers: { url: string }[]; paths: Record<string, Item> };
  const prefix = new URL(document.servers[0]?.url ?? '').pathname;
  // Paths outside of the API name another server. All paths move below one host.
  const paths = Object.entries(document.paths).map(([path, { servers, ...item }]) => {
    for (const { parameters = [] } of Object.values(item as Record<string, Operation>)) {
      for (const parameter of parameters) {
        const names = parameter.in === 'path' ? NAMES[parameter.name] : undefined;
        if (names !== undefined) parameter.schema = { enum: names };
      }
    }
    return [servers === undefined ? `${prefix}${path}` : path, item] as const;
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

const bin = pinnedTools('schemathesis', 'tools/ci/fuzz/requirements.txt');
const folder = temporaryFolder('fuzz');
const settings = { ASSURANCE_PORT: '0', ASSURANCE_DATA_DIR: join(folder, 'data'), ASSURANCE_LOG_LEVEL: 'error' };
await using service = await npmStart({ cwd: root, env: settings });
const url = service.url.replace('127.0.0.1', 'localhost');
const key = keyOf(service) ?? '';
await makeDemo({ api: `${url}/api/v2`, headers: { authorization: `Bearer ${key}` }, org: 'admin' });
const [har, document] = [join(folder, 'answers.har'), join(folder, 'openapi.json')];
writeFileSync(document, JSON.stringify(await narrowed(`${url}/api/v2/openapi.json`)));
console.log(`seed ${given.seed}: npm run check:fuzz -- --seed ${given.seed}`);
const options = {
  url,
  header: `Authorization: Bearer ${key}`,
  warnings: 'off',
  phases: 'examples,coverage,fuzzing',
  checks: CHECKS.join(','),
  seed: given.seed,
  'max-examples': given.examples,
  'max-time': given.seconds,
  report: 'har',
  'report-har-path': har,
  'generation-database': 'none',
  'request-timeout': '20',
  // Its answer never ends.
  'exclude-operation-id': 'followChanges',
  ...(given.only === undefined ? {} : { 'include-operation-id': given.only }),
};
const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
const args = ['run', document, ...words, '--no-color', '--no-shrink', '--continue-on-failure'];
const hooks = { SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: join(root, 'tools/ci/fuzz') };
const { ok } = run(join(bin, 'schemathesis'), args, {
  cwd: folder,
  env: { ...process.env, ...hooks },
  stdio: ['ignore', 'inherit', 'inherit'],
});
const { log } = JSON.parse(readFileSync(har, 'utf8')) as { log: { entries: { response: { status: number } }[] } };
const statuses = log.entries.map(({ response }) => response.status);
const counts = [...new Set(statuses)]
  .sort()
  .map((one) => `${one}: ${statuses.filter((other) => other === one).length}`);
console.log(`answers by status: ${counts.join(', ')}`);
// If no route accepts any request, the run says nothing about answers.
process.exitCode = ok && (given.only !== undefined || statuses.includes(200)) ? 0 : 1;
