import { parse } from 'yaml';
import { helm, type Manifest, manifestsOf } from './manifests';

const CHART = 'deploy/helm/reporter';
const OWN = 'gates';
const render = (...values: readonly string[]) => {
  const set = values.flatMap((value) => ['--set', value]);
  return helm('template', 'release', CHART, '--namespace', OWN, '--values', `${CHART}/ci/admission.yaml`, ...set);
};

interface Requirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn';
  readonly values: readonly string[];
}
interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly Requirement[];
}
interface Webhook {
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly namespaceSelector: Selector;
  readonly objectSelector?: Selector;
  readonly matchConditions?: readonly { readonly expression: string }[];
  readonly rules: readonly { readonly operations: readonly string[]; readonly resources: readonly string[] }[];
}
type Labels = Readonly<Record<string, string>>;

const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values }) => values.includes(labels[key] ?? '') === (operator === 'In'));

const kind = <T>(manifests: readonly Manifest[], name: string, component = 'admission') =>
  manifests.find(({ kind, metadata }) => kind === name && metadata.name.endsWith(component)) as unknown as T;

interface Deployment {
  readonly spec: {
    readonly strategy: object;
    readonly template: {
      readonly metadata: { readonly labels: Labels };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly topologySpreadConstraints: readonly {
          readonly topologyKey: string;
          readonly labelSelector: Selector;
        }[];
        readonly containers: readonly {
          readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
          readonly livenessProbe: object;
          readonly readinessProbe: object;
        }[];
      };
    };
  };
}
interface Policy {
  readonly spec: {
    readonly podSelector: Selector;
    readonly selector: Selector;
    readonly maxUnavailable: number;
    readonly policyTypes: readonly string[];
    readonly ingress: readonly object[];
  };
}

/** The settings of the webhook that the release writes. */
const settingsOf = (manifests: readonly Manifest[]) =>
  (parse(kind<Manifest>(manifests, 'ConfigMap', 'release').data['config.yaml'] ?? '') as { admission: object })
    .admission;

describe('the admission webhook of the chart', () => {
  const manifests = manifestsOf(render());
  const deployment = kind<Deployment>(manifests, 'Deployment').spec.template;
  const ownPod = deployment.metadata.labels;

  /** What each entry that a request is sent to does with it while the webhook is away. */
  function policiesFor(
    namespace: string,
    { labels = {} as Labels, operation = 'CREATE', resource = 'pods', of = manifests } = {},
  ): readonly string[] {
    const { webhooks } = kind<{ webhooks: readonly Webhook[] }>(of, 'ValidatingWebhookConfiguration');
    return webhooks.flatMap(({ failurePolicy, namespaceSelector, objectSelector = {}, rules }) =>
      selects(namespaceSelector, { 'kubernetes.io/metadata.name': namespace }) &&
      selects(objectSelector, labels) &&
      rules.some(({ operations, resources }) => operations.includes(operation) && resources.includes(resource))
        ? [failurePolicy]
        : [],
    );
  }

  it('is asked about new pods, their updates and their ephemeral containers, once, and about nothing else', () => {
    for (const [namespace, policy] of [
      ['shop', 'Fail'],
      ['tools', 'Ignore'],
    ] as const) {
      expect(policiesFor(namespace)).toEqual([policy]);
      expect(policiesFor(namespace, { operation: 'UPDATE' })).toEqual([policy]);
      expect(policiesFor(namespace, { operation: 'UPDATE', resource: 'pods/ephemeralcontainers' })).toEqual([policy]);
      expect(policiesFor(namespace, { operation: 'DELETE' })).toEqual([]);
      expect(policiesFor(namespace, { operation: 'UPDATE', resource: 'pods/status' })).toEqual([]);
    }
    expect(policiesFor('kube-system')).toEqual([]);
  });

  it('leaves out its own pods alone, and in its own namespace alone', () => {
    expect(policiesFor(OWN, { labels: ownPod })).toEqual([]);
    expect(policiesFor(OWN)).toEqual(['Fail']);
    expect(policiesFor('shop', { labels: ownPod })).toEqual(['Fail']);
    const of = manifestsOf(render(`admission.failOpen.include={${OWN}}`));
    expect([policiesFor(OWN, { of }), policiesFor(OWN, { of, labels: ownPod })]).toEqual([['Ignore'], []]);
  });

  // A condition that cannot be evaluated counts as a webhook that is away.
  it('is asked about updates of specs alone where it has to be there, so that labels and finalizers change without it', () => {
    const { webhooks } = kind<{ webhooks: readonly Webhook[] }>(manifests, 'ValidatingWebhookConfiguration');
    for (const { failurePolicy, matchConditions = [] } of webhooks) {
      const expected =
        failurePolicy === 'Fail' ? ["request.operation == 'CREATE' || object.spec != oldObject.spec"] : [];
      expect(matchConditions.map(({ expression }) => expression)).toEqual(expected);
    }
  });

  it('has probes, spreads its pods, and lets one be away at a time', () => {
    const { containers, topologySpreadConstraints } = deployment.spec;
    const get = (path: string) => ({ httpGet: { path, port: 'https', scheme: 'HTTPS' } });
    expect(containers[0]).toMatchObject({ livenessProbe: get('/live'), readinessProbe: get('/ready') });
    const keys = topologySpreadConstraints.map(({ topologyKey }) => topologyKey);
    expect(keys).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
    const budget = kind<Policy>(manifests, 'PodDisruptionBudget').spec;
    expect(budget.maxUnavailable).toBe(1);
    for (const selector of [budget.selector, ...topologySpreadConstraints.map(({ labelSelector }) => labelSelector)]) {
      expect([selects(selector, ownPod), selector.matchLabels]).toEqual([true, expect.any(Object)]);
    }
    expect(kind<Deployment>(manifests, 'Deployment').spec.strategy).toEqual({
      rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
    });
  });

  it('gives a pod that ends the time to take reviews and to answer them', () => {
    expect(settingsOf(manifests)).toMatchObject({ stopDelaySeconds: 5 });
    expect(deployment.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(5 + 10);
    const later = manifestsOf(render('admission.stopDelaySeconds=30'));
    expect(settingsOf(later)).toMatchObject({ stopDelaySeconds: 30 });
    const { terminationGracePeriodSeconds } = kind<Deployment>(later, 'Deployment').spec.template.spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30 + 10);
  });

  it('lets named addresses of API servers alone reach it, where values ask for that', () => {
    expect(kind(manifestsOf(render('admission.networkPolicy.enabled=false')), 'NetworkPolicy')).toBeUndefined();
    const { podSelector, policyTypes, ingress } = kind<Policy>(manifests, 'NetworkPolicy').spec;
    expect([selects(podSelector, ownPod), policyTypes]).toEqual([true, ['Ingress']]);
    expect(ingress).toEqual([
      { ports: [{ port: 'https' }], from: [{ ipBlock: { cidr: '10.0.0.0/28' } }, { ipBlock: { cidr: 'fd00::/64' } }] },
      {
        ports: [{ port: 'metrics' }],
        from: [
          {
            namespaceSelector: {
              matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['monitoring'] }],
            },
          },
        ],
      },
    ]);
  });

  it('asks API servers for a certificate where values name the authority', () => {
    expect(settingsOf(manifests)).toMatchObject({
      clientCaFile: '/etc/assurance-admission-clients/ca.crt',
      clientNames: ['kube-apiserver'],
    });
    const none = ['admission.clientCertificates.name=', 'admission.clientNames=null'];
    expect(settingsOf(manifestsOf(render(...none)))).not.toHaveProperty('clientCaFile');
  });

  it('listens where values say, and serves metrics', () => {
    const [container] = kind<Deployment>(manifestsOf(render('admission.port=10250')), 'Deployment').spec.template.spec
      .containers;
    expect(container?.ports).toEqual([
      { name: 'https', containerPort: 10250 },
      { name: 'metrics', containerPort: 9464 },
    ]);
    expect(settingsOf(manifestsOf(render('admission.port=10250')))).toMatchObject({ port: 10250 });
    expect(kind(manifestsOf(render('metrics.podMonitor=true')), 'PodMonitor')).toBeDefined();
  });

  it.each([
    [['admission.networkPolicy.apiServers=null'], 'admission.networkPolicy.apiServers is required'],
    [['admission.clientCertificates.name='], 'admission.clientNames needs admission.clientCertificates'],
  ])('refuses %j: %s', (values, sentence) => {
    expect(render(...values)).toMatchObject({ ok: false, out: expect.stringContaining(sentence) as string });
  });
});
