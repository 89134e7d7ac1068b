import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const ROOT = resolve(__dirname, '../../../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface Action {
  readonly runs: { readonly steps: readonly { readonly run: string }[] };
}
interface Component {
  readonly 'assurance-gate': { readonly script: readonly string[] };
}

const action = (parse(read('deploy/actions/gate/action.yml')) as Action).runs.steps[0]?.run ?? '';
const component = (parseAllDocuments(read('deploy/gitlab/templates/gate.yml'))[1]?.toJS() as Component)[
  'assurance-gate'
];
const [, documented = ''] = /^cat > gate\.sh <<'END'\n(.*?)^END$/ms.exec(read('docs/using/clients.md')) ?? [];

/** The scripts of all gates, out of the files that users take them from. */
export const SCRIPTS = { action, component: component.script[0] ?? '', documented };

/** What a gate is asked. */
export interface GateInputs {
  readonly url: string;
  readonly organization?: string;
  readonly key?: string;
  readonly fingerprint: string;
  readonly environment?: string;
  readonly flow?: string;
  readonly allowUnjudged?: boolean;
  readonly maxSeconds?: number;
}

export interface GateResult {
  /** The exit code. */
  readonly code: number;
  /** What the job's log shows. */
  readonly out: string;
}

/** The path of an installed command. @throws Error without it: a gate that cannot be tried has failed */
const pathOf = (command: string) => execFileSync('sh', ['-c', `command -v ${command}`], { encoding: 'utf8' }).trim();

/** A folder with the commands of an image of Alpine with curl: those of BusyBox. */
function alpineCommands(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assurance-alpine-'));
  for (const name of ['awk', 'head', 'mktemp', 'rm', 'tail', 'tr']) symlinkSync(pathOf('busybox'), join(folder, name));
  symlinkSync(pathOf('curl'), join(folder, 'curl'));
  return folder;
}

export interface Gate {
  readonly name: string;
  run(inputs: GateInputs): Promise<GateResult>;
}

/** All gates, each in the shell that runs it for users. */
export function allGates(): readonly Gate[] {
  const path = process.env['PATH'] ?? '';
  const alpine = alpineCommands();
  const gate = (name: string, path: string, shell: string, ...args: readonly string[]): Gate => ({
    name,
    run: (inputs) => runScript(shell, args, path, inputs),
  });
  return [
    gate('the action', path, 'bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', SCRIPTS.action),
    gate('the component', alpine, pathOf('busybox'), 'ash', '-eo', 'pipefail', '-c', SCRIPTS.component),
    gate('the documented script', path, 'sh', '-c', SCRIPTS.documented),
  ];
}

function runScript(shell: string, args: readonly string[], PATH: string, inputs: GateInputs): Promise<GateResult> {
  const { url, organization = 'acme', key = 'a-key', fingerprint, environment = '', flow = '' } = inputs;
  const env = {
    PATH,
    GATE_URL: url,
    GATE_ORGANIZATION: organization,
    GATE_API_KEY: key,
    GATE_FINGERPRINT: fingerprint,
    GATE_ENVIRONMENT: environment,
    GATE_FLOW: flow,
    GATE_ALLOW_UNJUDGED: String(inputs.allowUnjudged ?? false),
    GATE_MAX_SECONDS: String(inputs.maxSeconds ?? 30),
  };
  return new Promise((resolve) => {
    execFile(shell, args, { env, timeout: 120_000 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out: stdout + stderr });
    });
  });
}
