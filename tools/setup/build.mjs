// @ts-check
// Compiles every project's sources to its `dist` with SWC, the pages with Vite, and the programs with Rolldown. A file whose output is newer
// than it is left alone; an output whose source is gone is removed, so that nothing stale can be loaded.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** Features, and the engines of one project, have their sources beside their package.json, other projects in `src`. */
const BESIDE = /^libs\/(features\/[^/]+|storage)$/;

/** @type {{ packages: Record<string, { link?: true, resolved?: string }> }} */
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
/** Projects below `libs` and `apps`, with the folders of their sources. */
const all = Object.values(packages).flatMap(({ link, resolved: path = '' }) => {
  const project = join(root, path);
  const source = BESIDE.test(path) ? project : join(project, 'src');
  return link && /^(libs|apps)\//.test(path) && existsSync(source) ? [{ project, source }] : [];
});

/**
 * Whether an output is a program, which Rolldown makes.
 *
 * @type {(source: string, target: string, out: string) => boolean}
 */
const isProgram = (source, target, out) => isBundled(join(source, relative(target, out)).replace(/\.js$/, '.ts'));

let compiled = 0;
const targets = [];
for (const { project, source } of all) {
  if (project === PAGES) continue;
  const target = join(project, 'dist');
  if (dirname(project) !== join(root, 'apps')) targets.push(target);
  const outputs = filesBelow(source)
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
  const outs = new Set(outputs.map(({ out }) => out));
  for (const old of filesBelow(target)) {
    if (old.endsWith('.js') && !outs.has(old) && !isProgram(source, target, old)) rmSync(old);
  }
  for (const { file, out } of outputs) {
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
