import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { read, root } from '../common/root.ts';

export interface Project {
  readonly path: string;
  readonly type: string;
}

/** Lists every project with its folder (relative to the root, with forward slashes) and its type. What is inside another one comes after it. */
export function projects(): readonly Project[] {
  return globSync(['{apps,libs}/*/package.json', 'libs/*/*/package.json', 'tools/package.json'], { cwd: root })
    .map((manifest) => dirname(manifest).replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, type: typeOf(path) }));
}

function typeOf(path: string): string {
  const { nx } = JSON.parse(read(`${path}/package.json`)) as { nx?: { tags?: string[] } };
  const type = nx?.tags?.find((tag) => tag.startsWith('type:'));
  if (type === undefined) throw new Error(`${path}/package.json has no nx tag type:*`);
  return type.slice('type:'.length);
}
