import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/root.ts';

export interface Project {
  readonly path: string;
  readonly type: string;
}

/** Lists every project with its folder (relative to the root, with forward slashes) and its type. What is inside another one comes after it. */
export function projects(): readonly Project[] {
  return [...below('apps'), ...below('libs'), { path: 'tools', type: typeOf('tools') }];
}

function below(folder: string): readonly Project[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['node_modules', 'dist', 'src'].includes(entry.name))
    .map((entry) => `${folder}/${entry.name}`)
    .flatMap((path) => {
      if (!existsSync(join(root, path, 'package.json'))) return below(path);
      return [{ path, type: typeOf(path) }, ...(path === 'libs/storage' ? below(path) : [])];
    });
}

function typeOf(path: string): string {
  const { nx } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as { nx?: { tags?: string[] } };
  const type = nx?.tags?.find((tag) => tag.startsWith('type:'));
  if (type === undefined) throw new Error(`${path}/package.json has no nx tag type:*`);
  return type.slice('type:'.length);
}
