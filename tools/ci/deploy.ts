// Installs what specs of `deploy` run, each once in .cache, and prints JSON: paths of commands, and of folders with definitions of custom resources.
// Needs Go, Python (for kubernetes-validate, and for helm where it is not installed) and promtool or Debian's package of Prometheus.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { first } from '../common/api.ts';
import { must, run } from '../common/command.ts';
import { root } from '../common/root.ts';
import { goModule } from './go-tool.ts';
import { pinnedTools, pythonTools } from './python.ts';

const VALIDATOR = 'kubernetes-validate==1.37.0';
/** The projects that define custom resources. */
const DEFINITIONS: readonly (readonly [module: string, version: string, path: string])[] = [
  ['sigs.k8s.io/gateway-api', 'v1.6.0', 'config/crd/standard'],
  ['github.com/kedacore/keda/v2', 'v2.21.0', 'config/crd/bases'],
  ['github.com/prometheus-operator/prometheus-operator', 'v0.85.0', 'example/prometheus-operator-crd'],
];

function promtool(): string {
  if (run('promtool', ['--version']).ok) return 'promtool';
  const cwd = join(root, '.cache/prometheus');
  const command = join(cwd, 'usr/bin/promtool');
  if (existsSync(command)) return command;
  mkdirSync(cwd, { recursive: true });
  const download = ['download', '--quiet', 'prometheus'];
  if (!run('apt-get', download, { cwd }).ok) {
    must('apt-get', ['update', '--quiet']);
    must('apt-get', download, { cwd });
  }
  must('dpkg', ['-x', first(readdirSync(cwd).filter((file) => file.endsWith('.deb'))), '.'], { cwd });
  return command;
}

const tools = {
  helm: run('helm', ['version']).ok ? 'helm' : join(pinnedTools('helm', 'tools/ci/helm.txt'), 'helm'),
  promtool: promtool(),
  validator: join(pythonTools(VALIDATOR, VALIDATOR), 'kubernetes-validate'),
  definitions: DEFINITIONS.map(([module, version, path]) => join(goModule(module, version), path)),
};
console.log(JSON.stringify(tools));
