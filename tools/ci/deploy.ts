// Checks the folder `deploy`: the Helm chart with each documented set of values against the schemas of Kubernetes, Gateway API, KEDA and the Prometheus
// operator; alerting rules, their unit tests and the dashboards with promtool.
//   npm run check:deploy
// Needs Go, Python (for kubernetes-validate, and for helm where it is not installed) and promtool or Debian's package of Prometheus.
// Exit code 1 if a check fails or cannot run.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';
import { first } from '../common/api.ts';
import { must, type Result, run } from '../common/command.ts';
import { root, temporaryFolder } from '../common/root.ts';
import { RUNBOOKS_PAGE, servedDocuments } from '../setup/documents.mjs';
import { checkReporterValues, checkScripts, checkValues } from './deploy/chart-values.ts';
import { customResources } from './deploy/custom-resources.ts';
import { checkDashboard } from './deploy/dashboard.ts';
import { checkFirstSteps } from './deploy/first-steps.ts';
import { type Labels, type Manifest, manifestsOf, podsOf, wordsOf } from './deploy/manifests.ts';
import { pinnedTools, pythonTools } from './python.ts';
import { conclude, tell } from './report.ts';

const VALIDATOR = 'kubernetes-validate==1.37.0';
/** The oldest Kubernetes version that the chart supports, and the newest that the validator knows. */
const KUBERNETES = ['1.29', '1.37'] as const;
/** APIs of the cluster, which helm cannot ask here. */
const CLUSTER = ['--kube-version', `${KUBERNETES[0]}.0`];
const chart = join(root, 'deploy/helm/assurance');
const reporterChart = join(root, 'deploy/helm/reporter');
const observability = join(root, 'deploy/observability');
/** Where the rules say that the service is; the chart puts the public URL in its place. */
const EXAMPLE = 'https://assurance.example.com';
const DOCUMENTATION = 'docs/operating/kubernetes.md';
const folder = temporaryFolder('deploy');
const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');

/** Values that cannot work, and how the chart refuses them. */
const REFUSED: readonly (readonly [values: string, sentence: string])[] = [
  ['', 'publicUrl is required'],
  ['publicUrl=https://a.example', 'kafka.brokers is required'],
  ['publicUrl=https://a.example,mode=other', 'mode'],
  ['publicUrl=https://a.example,mode=standalone,unknownValue=1', 'unknownValue'],
  ['publicUrl=https://a.example,mode=standalone,restore=x', 'restore needs backup.enabled'],
  [
    'publicUrl=https://a.example,mode=standalone,kafka.cloudEventsTopic=events',
    'kafka.cloudEventsTopic needs mode: services or small',
  ],
  ['publicUrl=https://a.example,kafka.brokers=k:9093,kafka.sasl.mechanism=plain', 'kafka.sasl.secret is required'],
];

/** The same of the reporter's chart, beside values that work. */
const REPORTER_REFUSED: readonly (readonly [values: string, sentence: string])[] = [
  ['url=', 'url is required'],
  ['unknownValue=1', 'unknownValue'],
  ['organization=', 'organization is required'],
  ['environments=null', 'environments is required'],
  ['url=assurance.example.com', 'url'],
  ['interval=1', 'interval'],
  ['environments[0].kind=server', 'kind'],
  ['environments[0].unknownValue=1', 'unknownValue'],
  ['environments[0].kind=S3', 'bucket'],
  ['environments[0].namespaces.include=shop', 'include'],
  ['admission.enabled=true', 'admission.environment, admission.tlsSecret and admission.caBundle are required'],
];

/** Where alerts lead to with values of the chart. */
const LED: readonly (readonly [values: string, address: string])[] = [
  ['publicUrl=https://a.example/b/', `https://a.example/b/${RUNBOOKS_PAGE}#`],
  ['publicUrl=https://a.example,rules.runbooks=https://b.example/books', 'https://b.example/books#'],
];

function helmCommand(): string {
  if (run('helm', ['version']).ok) return 'helm';
  return join(pinnedTools('helm', 'tools/ci/deploy/requirements.txt'), 'helm');
}

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

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly runbook_url: string };
}
async function checkChart(): Promise<void> {
  const helm = helmCommand();
  const validate = join(pythonTools(VALIDATOR, VALIDATOR), 'kubernetes-validate');
  const faultsOf = customResources();
  const rendered = (name: string, args: readonly string[]) => {
    const { ok, out } = run(helm, ['template', ...args, ...CLUSTER]);
    tell(ok, name, out);
    return ok ? manifestsOf(out) : [];
  };
  const manifests = (name: string, all: readonly Manifest[]) => checkManifests(validate, faultsOf, name, all);
  const template = (path: string) => (args: readonly string[]) =>
    run(helm, ['template', 'release', path, '--namespace', 'assurance', ...CLUSTER, ...args]);
  for (const path of [chart, reporterChart]) {
    for (const file of readdirSync(join(path, 'ci'))) {
      const args = [path, '--values', join(path, 'ci', file)];
      const name = `${basename(path)}-${file}`;
      const lint = run(helm, ['lint', '--strict', ...CLUSTER, ...args]);
      tell(lint.ok, `helm lint with ${name}`, lint.out);
      const all = rendered(`helm template with ${name}`, ['release', '--namespace', 'assurance', ...args]);
      manifests(name, all);
      if (path !== chart) continue;
      checkTriggers(name, all);
      checkWatching(name, all);
      checkPolicies(name, all);
    }
  }
  checkReporterValues(reporterChart, template(reporterChart));
  checkRefused('the service', template(chart), REFUSED);
  const works = ['--values', join(reporterChart, 'ci', 'clusters.yaml')];
  checkRefused('the reporter', (args) => template(reporterChart)([...works, ...args]), REPORTER_REFUSED);
  // An upgrade has the values of the installation before it.
  const commands =
    read(root, DOCUMENTATION)
      .replaceAll('\\\n', ' ')
      .match(/^helm (?:install|upgrade) .*/gm) ?? [];
  let before: readonly string[] = [];
  for (const [i, command] of commands.entries()) {
    const [verb, release = '', path = '', ...words] = wordsOf(command)
      .slice(1)
      .filter((word) => word !== '--reuse-values');
    before = verb === 'install' ? words : [...before, ...words];
    const name = `${DOCUMENTATION}: ${command.replaceAll(/\s+/g, ' ')}`;
    manifests(`command ${i + 1} of the documentation`, rendered(name, [release, join(root, path), ...before]));
  }
  tell(commands.length > 0, `${DOCUMENTATION} has commands`);
  await checkFirstSteps(
    (name, [release = '', path = '', ...words]) => rendered(name, [release, join(root, path), ...words]),
    manifests,
  );
  checkValues(chart, template(chart));
  checkScripts(chart, folder);
  for (const [values, expected] of LED) {
    const set = ['--set', `mode=standalone,rules.enabled=true,${values}`];
    const { out } = template(chart)(set);
    const led = [...out.matchAll(/runbook_url: (.*#)/g)].map(([, address]) => address);
    tell(led.length > 0 && led.every((one) => one === expected), `alerts lead to ${expected} with ${values}`, led[0]);
  }
}

/** Checks that a chart refuses values that cannot work. */
function checkRefused(what: string, template: (args: readonly string[]) => Result, values: typeof REFUSED): void {
  for (const [value, sentence] of values) {
    const { ok, out } = template(value === '' ? [] : ['--set', value]);
    tell(!ok && out.includes(sentence), `${what} refuses ${value || 'no values'}: ${sentence}`, out);
  }
}

/** Compares the chart's copies of rules and dashboards with `deploy/observability`, because a chart cannot read files outside of it. */
function checkWatching(name: string, manifests: readonly Manifest[]): void {
  const copies = 'copy rules.yaml and the dashboards of deploy/observability to deploy/helm/assurance/observability';
  for (const { kind, metadata, spec, data } of manifests) {
    if (kind === 'PrometheusRule')
      tell(isDeepStrictEqual(spec, parse(read(observability, 'rules.yaml'))), `${name} installs the rules`, copies);
    if (kind !== 'ConfigMap' || !metadata.name.endsWith('-dashboards')) continue;
    const dashboards = readdirSync(observability).filter((file) => file.endsWith('.json'));
    const all = Object.fromEntries(dashboards.map((file) => [file, read(observability, file)]));
    tell(isDeepStrictEqual(data, all), `${name} installs the ${dashboards.length} dashboards`, copies);
  }
}

/** Checks that each service has a policy, that only named namespaces reach the operations port, and that pods do not reach everything. */
function checkPolicies(name: string, manifests: readonly Manifest[]): void {
  const component = ({ matchLabels }: Labels) => matchLabels['app.kubernetes.io/component'];
  const services = manifests
    .filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind))
    .map(({ spec }) => component(spec.selector));
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  const covered = policies.map(({ spec }) => component(spec.podSelector));
  tell(isDeepStrictEqual(covered.sort(), services.sort()), `each service of ${name} has a policy`, covered.join(', '));
  const open = policies.filter(({ spec: { policyTypes, ingress, egress = [{}] } }) => {
    const operations = ingress.filter(({ ports }) => ports.some(({ port }) => port === 'operations'));
    const named = operations.every(({ from }) =>
      from.every(
        ({ namespaceSelector: chosen, podSelector: pods }) =>
          (chosen?.matchExpressions?.[0]?.values ?? []).length > 0 ||
          pods?.matchLabels['app.kubernetes.io/component'] === 'backup',
      ),
    );
    const anywhere = egress.some(({ to, ports }) => to === undefined && ports === undefined);
    return !named || !policyTypes.includes('Egress') || anywhere;
  });
  tell(open.length === 0, `the ${policies.length} policies of ${name} name who may come and go`, stringify(open));
}

/** Checks what the schemas of KEDA leave open: triggers refer to existing objects and use the services' settings of Kafka. */
function checkTriggers(name: string, manifests: readonly Manifest[]): void {
  const named = (kind: string) => manifests.filter((one) => one.kind === kind);
  const known = named('TriggerAuthentication').map(({ metadata }) => metadata.name);
  const triggers = named('ScaledObject').flatMap(({ spec }) => spec.triggers);
  const services = podsOf(named('Deployment')).flatMap(({ containers }) => containers.flatMap(({ env }) => env));
  const secured = services.some((variable) => variable.name === 'ASSURANCE_KAFKA_SASL');
  const wrong = triggers.filter(({ authenticationRef: ref, metadata }) =>
    secured
      ? !known.includes(ref?.name ?? '') || metadata.sasl === undefined || metadata.tls !== 'enable'
      : ref !== undefined,
  );
  const what = `the ${triggers.length} triggers of ${name} reach Kafka as the services do`;
  tell(wrong.length === 0, what, stringify(wrong));
}

function checkManifests(
  validate: string,
  faultsOf: ReturnType<typeof customResources>,
  name: string,
  manifests: readonly Manifest[],
): void {
  const core: Manifest[] = [];
  for (const manifest of manifests) {
    const faults = faultsOf(manifest);
    if (faults === null) {
      core.push(manifest);
      continue;
    }
    const what = `${manifest.kind} ${manifest.metadata.name} of ${name}`;
    tell(faults.length === 0, `${what} is valid`, faults.join('\n'));
    const wrong = { ...manifest, spec: { ...manifest.spec, unknownField: 1 } };
    tell((faultsOf(wrong)?.length ?? 0) > faults.length, `${what} is refused with an unknown field`);
  }
  const file = join(folder, basename(name));
  // The validator reads YAML 1.1, in which an unquoted `on` is a boolean.
  writeFileSync(file, core.map((manifest) => stringify(manifest, { compat: 'yaml-1.1' })).join('---\n'));
  for (const version of KUBERNETES) {
    const { ok, out } = run(validate, ['--kubernetes-version', version, '--strict', '--quiet', file]);
    tell(ok, `${core.length} manifests of ${name} are valid for Kubernetes ${version}`, out);
  }
}

function checkObservability(): void {
  const tool = promtool();
  const rules = join(observability, 'rules.yaml');
  const checked = run(tool, ['check', 'rules', rules]);
  tell(checked.ok, 'the rules are valid', checked.out);
  const tested = run(tool, ['test', 'rules', join(observability, 'rules.test.yaml')]);
  tell(tested.ok, 'the unit tests of the rules pass', tested.out);
  const { groups } = parse(read(rules)) as { groups: { rules: Alert[] }[] };
  const tests = read(observability, 'rules.test.yaml');
  const page = String(servedDocuments(join(root, 'docs')).get(RUNBOOKS_PAGE));
  for (const { alert, expr, annotations } of groups.flatMap((group) => group.rules)) {
    const [address, anchor] = annotations.runbook_url.split('#');
    const resolves = address === `${EXAMPLE}/${RUNBOOKS_PAGE}` && anchor === alert && page.includes(` id="${anchor}"`);
    tell(resolves, `${alert} leads to its runbook`, annotations.runbook_url);
    tell(tests.includes(`alertname: ${alert}\n`), `${alert} has a unit test`);
    const runbook = join(root, `docs/operating/runbooks/${alert}.md`);
    tell(existsSync(runbook) && read(runbook).includes(expr), `${alert} has a runbook with its expression`);
  }
  for (const file of readdirSync(observability).filter((one) => one.endsWith('.json')))
    checkDashboard(tool, join(observability, file), folder);
}

await checkChart();
checkObservability();
conclude();
