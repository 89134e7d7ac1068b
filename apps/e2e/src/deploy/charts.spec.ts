import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { helm, itMakesValidManifests, type Labels, type Manifest, manifestsOf, podsOf } from './manifests';
import { read, ROOT, wordsOf } from './run';

const SERVICE = 'deploy/helm/assurance';
const CHARTS = [SERVICE, 'deploy/helm/reporter'];
const OBSERVABILITY = 'deploy/observability';
const DOCUMENTATION = 'docs/operating/kubernetes.md';
const filesIn = (folder: string) => readdirSync(join(ROOT, folder));
const component = ({ matchLabels }: Labels) => matchLabels['app.kubernetes.io/component'];

/** Renders once. */
const rendering = (...args: readonly string[]) => {
  let manifests: readonly Manifest[] | undefined;
  return () => (manifests ??= manifestsOf(helm('template', ...args)));
};

describe.each(CHARTS.flatMap((chart) => filesIn(`${chart}/ci`).map((file) => `${chart}/ci/${file}`)))(
  '%s',
  (values) => {
    const args = [dirname(dirname(values)), '--values', values];

    it('passes helm lint', () => {
      expect(helm('lint', '--strict', ...args)).toMatchObject({ ok: true });
    });

    itMakesValidManifests(rendering('release', '--namespace', 'assurance', ...args));
  },
);

describe.each(filesIn(`${SERVICE}/ci`))('the chart of the service with %s', (file) => {
  const render = rendering('release', '--namespace', 'assurance', SERVICE, '--values', `${SERVICE}/ci/${file}`);
  const named = (...kinds: readonly string[]) => render().filter(({ kind }) => kinds.includes(kind));

  // What the schemas of KEDA leave open.
  it('has triggers that refer to existing objects, and reach Kafka as the services do', () => {
    const authentications = named('TriggerAuthentication').map(({ metadata }) => metadata.name);
    const services = podsOf(named('Deployment')).flatMap(({ containers }) => containers.flatMap(({ env }) => env));
    const secured = services.some((variable) => variable.name === 'ASSURANCE_KAFKA_SASL');
    for (const { authenticationRef: ref, metadata } of named('ScaledObject').flatMap(({ spec }) => spec.triggers)) {
      if (!secured) expect(ref).toBeUndefined();
      else expect([authentications, metadata.tls]).toEqual([expect.arrayContaining([ref?.name]), 'enable']);
      if (secured) expect(metadata.sasl).toBeDefined();
    }
  });

  // A chart cannot read files outside of it.
  it('has copies of the rules and dashboards of deploy/observability, where values ask for them', () => {
    const rules = named('PrometheusRule').map(({ spec }) => spec);
    const ofDashboards = named('ConfigMap').filter(({ metadata }) => metadata.name.endsWith('-dashboards'));
    if (file === 'production-values.yaml') expect([rules.length, ofDashboards.length]).toEqual([1, 1]);
    for (const spec of rules) expect(spec).toEqual(parse(read(`${OBSERVABILITY}/rules.yaml`)));
    const dashboards = filesIn(OBSERVABILITY).filter((name) => name.endsWith('.json'));
    const copies = Object.fromEntries(dashboards.map((name) => [name, read(`${OBSERVABILITY}/${name}`)]));
    for (const { data } of ofDashboards) expect(data).toEqual(copies);
  });

  it('has a network policy for each service', () => {
    const services = named('Deployment', 'StatefulSet').map(({ spec }) => component(spec.selector));
    const policies = named('NetworkPolicy').map(({ spec }) => component(spec.podSelector));
    expect(policies.toSorted()).toEqual(services.toSorted());
  });

  it('lets named namespaces alone reach the operations port, and no pod reach everything', () => {
    for (const { policyTypes, ingress, egress = [{}] } of named('NetworkPolicy').map(({ spec }) => spec)) {
      const operations = ingress.filter(({ ports }) => ports.some(({ port }) => port === 'operations'));
      for (const { namespaceSelector, podSelector } of operations.flatMap(({ from }) => from)) {
        const namespaces = namespaceSelector?.matchExpressions?.[0]?.values ?? [];
        if (namespaces.length === 0) expect(podSelector && component(podSelector)).toBe('backup');
      }
      expect(policyTypes).toContain('Egress');
      expect(egress.filter(({ to, ports }) => to === undefined && ports === undefined)).toEqual([]);
    }
  });
});

/** The documented commands, each with the words after `helm install`: an upgrade has the values of the installation before it. */
const commands: (readonly [command: string, words: readonly string[]])[] = [];
for (const [command] of read(DOCUMENTATION)
  .replaceAll('\\\n', ' ')
  .matchAll(/^helm (?:install|upgrade) .*/gm)) {
  const [verb, release = '', chart = '', ...words] = wordsOf(command)
    .slice(1)
    .filter((word) => word !== '--reuse-values');
  const before = verb === 'install' ? [] : (commands.at(-1)?.[1].slice(2) ?? []);
  commands.push([command.replaceAll(/\s+/g, ' '), [release, chart, ...before, ...words]]);
}

describe.each(commands)(`${DOCUMENTATION}: %s`, (_command, words) => {
  itMakesValidManifests(rendering(...words));
});
