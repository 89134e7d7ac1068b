import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The compiler leaves optimization out, which takes a third of its CPU time: what these commands do here takes a moment. */
const UNOPTIMIZED = ['-gcflags=all=-N -l', '-ldflags=-s -w'];

/**
 * Builds a command from its Go module once, into a folder below `.cache`.
 *
 * @param {string} root the repository
 * @param {string} module path of the command's package, such as `helm.sh/helm/v3/cmd/helm`
 * @param {string} version such as `v3.22.0`
 * @returns {string} path of the executable
 * @throws Error if Go is missing or the build fails
 */
export function goTool(root, module, version) {
  const folder = join(root, '.cache', `${module.replace(/[^a-z0-9]+/gi, '-')}-${version}`);
  const built = join(folder, basename(module));
  if (existsSync(built)) return built;
  mkdirSync(folder, { recursive: true });
  console.error(`building ${module} ${version} …`);
  const { status, error, stderr } = spawnSync('go', ['install', ...UNOPTIMIZED, `${module}@${version}`], {
    encoding: 'utf8',
    env: { ...process.env, GOBIN: folder, GOTOOLCHAIN: 'local' },
  });
  if (error) throw new Error(`Go is needed to build ${module}, and it is not there: ${error.message}`);
  if (status !== 0) throw new Error(`${module} ${version} cannot be built:\n${stderr}`);
  return built;
}

/**
 * Downloads a Go module without building it.
 *
 * @param {string} root the repository
 * @param {string} module such as `sigs.k8s.io/gateway-api`
 * @param {string} version such as `v1.6.0`
 * @returns {string} its folder, which must not be changed
 * @throws Error if Go is missing or the download fails
 */
export function goModule(root, module, version) {
  const { status, error, stdout, stderr } = spawnSync('go', ['mod', 'download', '-json', `${module}@${version}`], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, GOTOOLCHAIN: 'local' },
  });
  if (error) throw new Error(`Go is needed to download ${module}, and it is not there: ${error.message}`);
  if (status !== 0) throw new Error(`${module} ${version} cannot be downloaded:\n${stdout}${stderr}`);
  return JSON.parse(stdout).Dir;
}
