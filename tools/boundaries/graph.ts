import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { root } from '../common/root.ts';

/** The boundary rule prints this and skips itself if nx has not written its project graph. */
export const SKIPPED = 'No cached ProjectGraph is available';

/**
 * Writes the project graph that `@nx/enforce-module-boundaries` reads.
 *
 * @throws Error with the output of nx
 */
export function makeGraph(): void {
  const nx = createRequire(import.meta.url).resolve('nx/bin/nx.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [nx, 'show', 'projects'], {
    cwd: root,
    env: { ...process.env, NX_DAEMON: 'false' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`nx could not make the project graph:\n${stdout}${stderr}`);
}
