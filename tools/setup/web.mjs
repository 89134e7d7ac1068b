// @ts-check
// Builds the pages: types of the API's client from the route table, then what browsers load, with Vite, then the documents. Nothing is done while
// all that it is made of is older than what was made.
import { createRequire } from 'node:module';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newest, timeOf } from './newest.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const app = join(root, 'apps', 'web');
const types = join(app, 'generated', 'api.d.ts');
const made = join(app, 'dist', 'index.html');
const docs = join(root, 'docs');
/** Written last of the documents. */
const documents = join(app, 'dist', 'runbooks.html');
/** What pages share with the service. */
const shown = join(root, 'libs', 'kernel', 'src', 'shown');
const contracts = join(root, 'libs', 'contracts', 'dist');

/** Makes the pages again where something that they are made of is newer than they are. */
export async function buildPages() {
  const own = ['src', 'public', 'index.html', 'vite.config.ts', 'tsconfig.json'].map((name) => join(app, name));
  const sources = [...own, shown];
  const versions = join(root, 'package-lock.json');
  const contract = newest([contracts, fileURLToPath(import.meta.url), versions]);
  // The types are for the type check and the linter. What writes them is a tool of developers.
  if (timeOf(types) < contract && isInstalled('openapi-typescript')) await writeTypes();
  if (timeOf(made) <= Math.max(contract, newest(sources))) await buildWithVite();
  // Vite empties the folder.
  if (timeOf(documents) <= newest([docs, fileURLToPath(new URL('documents.mjs', import.meta.url))]))
    await writeDocuments();
}

async function buildWithVite() {
  const started = Date.now();
  // Jest sets `test`, with which React would come with its checks for developers, and half as large again.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await build({ root: app, logLevel: 'error' });
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = NODE_ENV;
  console.error(`built the pages in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

async function writeDocuments() {
  const { servedDocuments } = await import('./documents.mjs');
  for (const [name, content] of servedDocuments(docs)) {
    const path = join(dirname(made), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** @param {string} name */
const isInstalled = (name) => existsSync(join(root, 'node_modules', name));

async function writeTypes() {
  const { openApiDocument } = createRequire(import.meta.url)(join(contracts, 'http', 'openapi.js'));
  const document = openApiDocument({ publicUrl: 'http://localhost', region: null });
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const text = astToString(await openapiTS(JSON.stringify(slim(document))));
  mkdirSync(dirname(types), { recursive: true });
  writeFileSync(types, text);
}

/**
 * The document without what types do not say (examples) and with one type for all errors.
 *
 * @param {unknown} document
 */
function slim(document) {
  const error = { description: 'An error', content: jsonOf({ $ref: '#/components/schemas/Error' }) };
  return JSON.parse(
    JSON.stringify(document, (key, value) => {
      if (key === 'examples' || key === 'example') return undefined;
      if (key !== 'responses') return value;
      const kept = Object.entries(value).filter(([status]) => status < '400');
      return { ...Object.fromEntries(kept), default: error };
    }),
  );
}

/** @param {object} schema */
const jsonOf = (schema) => ({ 'application/json': { schema } });
