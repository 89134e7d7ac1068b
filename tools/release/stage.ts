import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entry, filesOf } from './archive.ts';
import { installed, lockOf } from './licences.ts';

/** Apps that are no programs of the service. */
const NO_SERVICES = ['apps/e2e', 'apps/web', 'apps/reporter'];
/** What no Node loads. */
const LEFT_OUT = /(^|\/)node_modules$|\.map$|\.d\.[cm]?ts$/;

/** Folders and files of the documentation, without the site that is built beside them. */
const PAGES = /^([^.]+|[^.].*\.(md|png|svg|json))$/;
/** How the names of units of the reporter begin. */
const REPORTER = 'assurance-reporter.';

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** The files of the service as they are installed, with all packages that it needs: Node is all that lacks. */
export function serviceOf(source: string): Entry[] {
  const lock = lockOf(source);
  const entry = (name: string, from = name): Entry => ({ name, content: readFileSync(join(source, from)) });
  const folder = (name: string, passes: (path: string) => boolean, from = name) =>
    filesOf(join(source, from), passes).map((file) => ({ ...file, name: `${name}/${file.name}` }));
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest;
  const own = Object.entries(lock).flatMap(([path, { link, resolved = '' }]) =>
    link && resolved.startsWith('libs/') && resolved !== 'libs/testing' ? [{ path, at: resolved }] : [],
  );
  const apps = Object.keys(lock).filter((path) => path.startsWith('apps/') && !NO_SERVICES.includes(path));
  const program = entry('bin/assurance', 'tools/release/program.mjs');
  return [
    ...['LICENSE', 'NOTICES', 'README.md', 'CHANGELOG.md'].map((name) => entry(name)),
    { ...program, executable: true },
    { name: 'package.json', content: Buffer.from(packageOf(manifest, own)) },
    ...apps.flatMap((app) => [entry(`${app}/package.json`), entry(`${app}/dist/main.js`)]),
    ...folder('apps/web/dist', () => true),
    ...folder('docs', (path) => PAGES.test(path) && !path.endsWith('openapi.released.json')),
    ...unitsOf(source, (name) => !name.startsWith(REPORTER)),
    ...folder('dist/services', (path) => path.endsWith('.js')),
    ...installed(lock, ['']).flatMap((path) => folder(path, (name) => !LEFT_OUT.test(name))),
    ...own.flatMap(({ path, at }) => [
      { name: `${path}/package.json`, content: Buffer.from(ofRelease(join(source, at, 'package.json'), manifest)) },
      ...folder(`${path}/dist`, (name) => !LEFT_OUT.test(name), `${at}/dist`),
    ]),
  ];
}

/** The manifest of a package of ours, which has the version of the release. */
function ofRelease(file: string, { version }: Manifest): string {
  return `${JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), version }, null, 2)}\n`;
}

/** The manifest with which npm starts it. Everything is inside, so npm fetches nothing. */
function packageOf(
  { version, description, license, dependencies }: Manifest,
  own: readonly { path: string }[],
): string {
  const names = own.map(({ path }) => [path.slice('node_modules/'.length), version] as const);
  const all = { ...dependencies, ...Object.fromEntries(names) };
  const manifest = {
    name: 'deployment-assurance',
    version,
    description,
    license,
    bin: { assurance: 'bin/assurance' },
    engines: { node: '>=24.16' },
    dependencies: all,
    bundleDependencies: Object.keys(all),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The reporter, which the build makes of one file, and the notices of what is in it. */
export function reporterOf(source: string): Entry[] {
  const program = readFileSync(join(source, 'apps/reporter/dist/main.js'), 'utf8');
  return [
    { name: 'bin/assurance-reporter', content: Buffer.from('#!/usr/bin/env node\n' + program), executable: true },
    ...['LICENSE', 'NOTICES', 'docs/using/reporter.md', 'docs/using/admission.md'].map((name) => ({
      name,
      content: readFileSync(join(source, name)),
    })),
    ...unitsOf(source, (name) => name.startsWith(REPORTER)),
  ];
}

/** The units of systemd, where the pages about machines expect them. */
function unitsOf(source: string, passes: (name: string) => boolean): Entry[] {
  const units = 'deploy/systemd';
  return filesOf(join(source, units), passes).map((file) => ({ ...file, name: `${units}/${file.name}` }));
}
