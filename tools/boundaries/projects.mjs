import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));

/** Lists every project with its folder (relative to the root, with forward slashes) and its type. */
export function projects() {
  return [...below('apps'), ...below('libs'), { path: 'tools', type: typeOf('tools') }];
}

function below(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['node_modules', 'dist', 'src'].includes(entry.name))
    .map((entry) => `${folder}/${entry.name}`)
    .flatMap((path) => (existsSync(join(root, path, 'package.json')) ? [{ path, type: typeOf(path) }] : below(path)));
}

function typeOf(path) {
  const { nx } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
  const type = nx?.tags?.find((tag) => tag.startsWith('type:'));
  if (type === undefined) throw new Error(`${path}/package.json has no nx tag type:*`);
  return type.slice('type:'.length);
}
