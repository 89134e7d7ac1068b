// @ts-check
// Compiles every project's sources to its `dist` with SWC, the pages with Vite, and the programs with Rolldown. A file whose output is newer
// than it is left alone; an output whose source is gone is removed, so that nothing stale can be loaded.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import { bundleServices, isBundled } from './bundle.mjs';
import { filesBelow, timeOf } from './newest.mjs';
import { buildPages } from './web.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const settings = timeOf(join(root, '.swcrc'));

/** The pages, which Vite builds. */
const PAGES = join(root, 'apps', 'web');

/** Features have their sources beside their package.json, other projects in `src`. The engines of one project have a `src` each. */
const FEATURES = join(root, 'libs', 'features');
const STORAGE = join(root, 'libs', 'storage');

/**
 * Folders below `libs` and `apps` that are projects, with the folders of their sources.
 *
 * @param {string} folder
 * @returns {{ project: string, source: string }[]}
 */
function projects(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['node_modules', 'dist', 'src'].includes(entry.name))
    .map((entry) => join(folder, entry.name))
    .flatMap((path) => {
      if (!existsSync(join(path, 'package.json'))) return projects(path);
      const source = folder === FEATURES || path === STORAGE ? path : join(path, 'src');
      return [...(existsSync(source) ? [{ project: path, source }] : []), ...(path === STORAGE ? projects(path) : [])];
    });
}

/**
 * Whether an output is a program, which Rolldown makes.
 *
 * @type {(source: string, target: string, out: string) => boolean}
 */
const isProgram = (source, target, out) => isBundled(join(source, relative(target, out)).replace(/\.js$/, '.ts'));

let compiled = 0;
const targets = [];
const all = ['libs', 'apps'].flatMap((floor) => projects(join(root, floor)));
for (const { project, source } of all) {
  if (project === PAGES) continue;
  const target = join(project, 'dist');
  if (dirname(project) !== join(root, 'apps')) targets.push(target);
  const wanted = filesBelow(source)
    .filter(
      (file) =>
        !file.startsWith(target) &&
        !all.some((other) => other.project.startsWith(`${project}/`) && file.startsWith(`${other.project}/`)) &&
        file.endsWith('.ts') &&
        !file.endsWith('.spec.ts') &&
        !file.endsWith('.d.ts') &&
        !isBundled(file),
    )
    .map((file) => ({ file, out: join(target, relative(source, file)).replace(/\.ts$/, '.js') }));
  const outs = new Set(wanted.map(({ out }) => out));
  for (const old of filesBelow(target)) {
    if (old.endsWith('.js') && !outs.has(old) && !isProgram(source, target, old)) rmSync(old);
  }
  for (const { file, out } of wanted) {
    if (timeOf(out) > Math.max(timeOf(file), settings)) continue;
    const { code, map } = await transformFile(file, { configFile: join(root, '.swcrc'), sourceFileName: file });
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(`${out}.map`, map ?? '');
    writeFileSync(out, `${code}\n//# sourceMappingURL=${out.split('/').pop()}.map\n`);
    compiled += 1;
  }
}
if (compiled > 0) console.error(`built ${compiled} files`);
await buildPages();
await bundleServices(targets);
