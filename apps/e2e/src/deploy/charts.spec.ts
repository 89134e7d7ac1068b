import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

  it('lets a job of backups take limited time, and tells the service their schedule', () => {
    for (const { spec } of named('CronJob')) {
      expect(spec.jobTemplate?.spec.activeDeadlineSeconds).toBeGreaterThanOrEqual(60);
      const variables = podsOf(named('Deployment', 'StatefulSet')).flatMap(
        ({ containers }) => containers[0]?.env ?? [],
      );
      const schedules = variables.filter(({ name }) => name === 'ASSURANCE_BACKUP_EVERY_SECONDS');
      expect(schedules).toEqual([expect.objectContaining({ value: '3600' })]);
    }
  });

  it('lets every pod reach the name servers of OpenShift too', () => {
    for (const { egress = [] } of named('NetworkPolicy').map(({ spec }) => spec)) {
      const ports = egress.flatMap(({ ports: some = [] }) => some as readonly { port: unknown; protocol?: string }[]);
      for (const protocol of ['UDP', 'TCP']) expect(ports).toContainEqual({ port: 5353, protocol });
    }
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

describe('the chart of the service with an Ingress', () => {
  const values = [
    'mode=standalone',
    'publicUrl=https://a.example',
    'ingress.enabled=true',
    'ingress.hosts={a.example}',
  ];
  const render = (...more: readonly string[]) =>
    helm('template', 'release', SERVICE, '--set', [...values, ...more].join(','));

  it('is refused without the networks of its proxies, and trusts them with it', () => {
    expect(render()).toEqual({ ok: false, out: expect.stringContaining('trustedProxies is required') as string });
    const [pod] = podsOf(manifestsOf(render('trustedProxies={10.1.0.0/16,fd00::/8}')));
    expect(pod?.containers[0]?.env).toContainEqual({
      name: 'ASSURANCE_TRUSTED_PROXIES',
      value: '10.1.0.0/16,fd00::/8',
    });
    expect(render('settings.ASSURANCE_TRUSTED_PROXIES=10.0.0.0/8').ok).toBe(true);
  });
});

describe('helm test', () => {
  /** Runs the script of the pod against a server that answers like this. */
  async function asked(status: number, text: string) {
    const server = createServer((_request, response) => response.writeHead(status).end(text));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const SERVICE = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const script = read(`deploy/helm/assurance/scripts/ready.mjs`);
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      env: { SERVICE, SECONDS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out: string[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => out.push(String(piece)));
    const [code] = (await once(child, 'close')) as [number];
    server.close();
    await once(server, 'close');
    return [code, out.join('')];
  }

  it('passes for a service that is ready, and says why one is not', async () => {
    expect(await asked(200, 'OK')).toEqual([0, '/ready answers 200: OK\n']);
    expect(await asked(503, 'MongoDB does not answer')).toEqual([1, '/ready answers 503: MongoDB does not answer\n']);
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
