// @ts-check
// Puts the modules that each start of a service loads into few files, with Rolldown: a start reads and resolves 2,400 files otherwise, which takes a
// third of its CPU time (decision 4). Nothing is done while all that they are made of is older.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newest, timeOf } from './newest.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** What several services load. */
const SHARED = 'dist/services';
const record = join(root, SHARED, 'built');

/** Packages that only some starts load, or that read files beside their own. */
const APART =
  /^(@aws-sdk|@grpc|@modelcontextprotocol|@opentelemetry(?!\/api$)|fontkit|glob|kafkajs|light-my-request|mongodb|mongoose|nodemailer|openid-client|pdfkit|pino|protobufjs|re2js|undici|zod)(\/|-|$)/;

/** How large a file of packages becomes, about (bytes). */
const FILE_BYTES = 700_000;

/** The programs of `apps`, by the name of their folder. */
const programs = readdirSync(join(root, 'apps'))
  .map((name) => /** @type {const} */ ([name, join(root, 'apps', name, 'src/main.ts')]))
  .filter(([, main]) => timeOf(main) > 0);
/** It is copied to machines by itself, so it is one file with all that it needs. */
const REPORTER = 'reporter';

/**
 * Whether a source becomes a bundle, and is not compiled by itself.
 *
 * @param {string} source
 */
export const isBundled = (source) => programs.some(([, main]) => main === source);

/**
 * Makes the bundles again where something that they are made of is newer. Compiled packages are as new as their sources.
 *
 * @param {readonly string[]} compiled the folders of the compiled packages
 */
export async function bundleServices(compiled) {
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.base.json'].map((name) =>
    join(root, name),
  );
  const own = [fileURLToPath(import.meta.url), ...settings, ...programs.map(([, main]) => dirname(main))];
  if (timeOf(record) > newest([...compiled, ...own])) return;
  const started = Date.now();
  rmSync(join(root, SHARED), { recursive: true, force: true });
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(programs.filter(([name]) => name !== REPORTER)),
    platform: 'node',
    external: APART,
    // From our sources, since calls between compiled modules pass getters. Packages come as `require` finds them, so that each is there once.
    resolve: { conditionNames: ['@assurance/source', 'node', 'require', 'default'] },
    // Nest asks for packages that nobody installs, and does without.
    onLog: (_level, log) => {
      if (log.code !== 'UNRESOLVED_IMPORT') console.error(log.message);
    },
  });
  await bundle.write({
    dir: root,
    entryFileNames: 'apps/[name]/dist/main.js',
    chunkFileNames: `${SHARED}/[name]-[hash].js`,
    format: 'cjs',
    // V8 keeps the text of a file with other characters in twice the memory, and needs several times its size to parse it.
    charset: 'ascii',
    comments: false,
    codeSplitting: { groups: [{ name: 'packages', test: /node_modules/, maxSize: FILE_BYTES }] },
    keepNames: true,
    sourcemap: 'hidden',
  });
  await bundle.close();
  await bundleReporter(rolldown);
  writeFileSync(record, '');
  console.error(`bundled the services in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** @param {typeof import('rolldown').rolldown} rolldown */
async function bundleReporter(rolldown) {
  const bundle = await rolldown({
    cwd: root,
    input: join(root, 'apps', REPORTER, 'src/main.ts'),
    platform: 'node',
    // ES modules, of which what is not called is left out.
    resolve: {
      conditionNames: ['@assurance/source', 'node', 'import', 'module', 'default'],
      mainFields: ['module', 'main'],
    },
  });
  await bundle.write({
    file: join(root, 'apps', REPORTER, 'dist/main.js'),
    format: 'cjs',
    codeSplitting: false,
    minify: true,
    comments: false,
    keepNames: true,
  });
  await bundle.close();
}
