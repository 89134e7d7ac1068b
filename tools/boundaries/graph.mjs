import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { root } from './projects.mjs';

/** What the boundary rule prints, and then skips itself, when nx has not written its project graph. */
export const SKIPPED = 'No cached ProjectGraph is available';

/**
 * Makes nx write the project graph that `@nx/enforce-module-boundaries` reads.
 *
 * @throws Error with what nx said
 */
export function makeGraph() {
  const nx = createRequire(import.meta.url).resolve('nx/bin/nx.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [nx, 'show', 'projects'], {
    cwd: root,
    env: { ...process.env, NX_DAEMON: 'false' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`nx could not make the project graph:\n${stdout}${stderr}`);
}
