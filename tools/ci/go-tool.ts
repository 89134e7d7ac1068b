import { basename, join } from 'node:path';
import { must } from '../common/command.ts';
import { madeOnce } from '../common/made-once.ts';
import { root } from '../common/root.ts';

/** The compiler leaves optimization out, which takes a third of its CPU time: what these commands do here takes a moment. */
const UNOPTIMIZED = ['-gcflags=all=-N -l', '-ldflags=-s -w'];

/**
 * Builds a command from its Go module once, into a folder below `.cache`, and returns its path.
 *
 * @param module path of the command's package, such as `helm.sh/helm/v3/cmd/helm`
 * @throws Error if Go is missing or the build fails
 */
export function goTool(module: string, version: string): string {
  const home = madeOnce(`${module.replace(/[^a-z0-9]+/gi, '-')}-${version}`, (folder) => {
    const env = { ...process.env, GOBIN: folder, GOTOOLCHAIN: 'local' };
    must('go', ['install', ...UNOPTIMIZED, `${module}@${version}`], { env });
  });
  return join(home, basename(module));
}

/**
 * Downloads a Go module without building it, and returns its folder, which must not be changed.
 *
 * @throws Error if Go is missing or the download fails
 */
export function goModule(module: string, version: string): string {
  const env = { ...process.env, GOTOOLCHAIN: 'local' };
  return (
    JSON.parse(must('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd: root, env })) as { Dir: string }
  ).Dir;
}
