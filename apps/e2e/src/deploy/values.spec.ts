import { stringify } from 'yaml';
import { helm, type Manifest, manifestsOf, podsOf } from './manifests';
import { read } from './run';

const [SERVICE, REPORTER] = ['deploy/helm/assurance', 'deploy/helm/reporter'];
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const LABEL = /^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/;
const set = (...values: readonly string[]) => values.flatMap((value) => ['--set', value]);
const template = (chart: string, ...args: readonly string[]) =>
  helm('template', 'release', chart, '--namespace', 'assurance', ...args);
const SMALL = set('mode=small', 'publicUrl=https://a.example', 'kafka.brokers=kafka:9093');
const small = (...values: readonly string[]) => manifestsOf(template(SERVICE, ...SMALL, ...set(...values)));
const reporter = (...names: readonly string[]) => names.flatMap((name) => ['--values', `${REPORTER}/ci/${name}.yaml`]);

interface Schema {
  readonly properties?: object;
  readonly additionalProperties?: boolean;
  readonly allOf?: readonly object[];
}

/** The charts, each with arguments that render two pods. */
const CHARTS: readonly (readonly [chart: string, args: readonly string[]])[] = [
  [SERVICE, [...SMALL, ...set('backup.enabled=true')]],
  [REPORTER, reporter('clusters', 'admission')],
];

describe.each(CHARTS)('the chart %s', (chart, args) => {
  const render = (...values: readonly string[]) => manifestsOf(template(chart, ...args, ...set(...values)));
  const pinned = () => render(`image.digest=${DIGEST}`, 'image.tag=1.2.3');

  it('refuses unknown values at every level: of objects with branches (allOf), each branch says what it takes', () => {
    const open: string[] = [];
    JSON.parse(read(`${chart}/values.schema.json`), (name, schema: Schema | null) => {
      const { properties, additionalProperties, allOf } = schema ?? {};
      if (properties !== undefined && additionalProperties !== false && allOf === undefined && name !== 'if')
        open.push(name);
      return schema;
    });
    expect(open).toEqual([]);
  });

  it('pins every image by a digest', () => {
    const images = podsOf(pinned()).flatMap(({ containers }) => containers.map(({ image }) => image));
    expect(images).toEqual([`assurance@${DIGEST}`, `assurance@${DIGEST}`]);
  });

  it('has valid labels with every tag and digest', () => {
    const long = render(`image.tag=${'v1.2.3-'.repeat(12)}x`);
    expect([...pinned(), ...long].flatMap(labelsOf).filter((label) => !LABEL.test(label))).toEqual([]);
  });

  it('lets OpenShift, or user=null, choose the users of pods', () => {
    const openShift = manifestsOf(template(chart, ...args, '--api-versions', 'security.openshift.io/v1'));
    const none = [undefined, undefined];
    expect([render(), openShift, render('user=null')].map(usersOf)).toEqual([[1000, 1000], none, none]);
  });
});

/** Values that cannot work, and how the chart refuses them. */
const SERVICE_REFUSES: readonly (readonly [values: string, sentence: string])[] = [
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
const REPORTER_REFUSES: typeof SERVICE_REFUSES = [
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

it.each(SERVICE_REFUSES)('the chart of the service refuses %j: %s', (value, sentence) => {
  const { ok, out } = template(SERVICE, ...set(value));
  expect([ok, out]).toEqual([false, expect.stringContaining(sentence)]);
});

it.each(REPORTER_REFUSES)('the chart of the reporter refuses %j: %s', (value, sentence) => {
  const { ok, out } = template(REPORTER, ...reporter('clusters'), ...set(value));
  expect([ok, out]).toEqual([false, expect.stringContaining(sentence)]);
});

it('secrets are files where values ask for that', () => {
  const shown = stringify(podsOf(small('secrets.asFiles=true', 'backup.enabled=true')));
  expect(shown).not.toContain('secretKeyRef');
  expect(shown).toContain('ASSURANCE_SECRET_FILE');
});

describe('the checksum of the configuration of pods', () => {
  const sumOf = (...values: readonly string[]) =>
    small(...values).flatMap(({ spec }) => spec?.template?.metadata?.annotations?.['checksum/configuration'] ?? []);
  let sum: readonly string[];
  beforeAll(() => (sum = sumOf()));

  it('is there, and stays with the same values', () => {
    expect(sum).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(sumOf()).toEqual(sum);
  });

  it.each([
    'settings.ASSURANCE_LOG_LEVEL=debug',
    'publicUrl=https://b.example',
    'kafka.prefix=b.',
    'secrets.mongodb.name=other',
    'secrets.environment=other',
    'secrets.certificates=other',
    'secrets.bootstrap.name=other',
    'tls.secret=other',
    'secrets.revision=2026-11-27',
  ])('changes with %s, without a cluster too', (value) => {
    expect(sumOf(value)).not.toEqual(sum);
  });
});

/** Whom pods run as. */
const usersOf = (manifests: readonly Manifest[]) =>
  podsOf(manifests).map(({ securityContext: { runAsUser, fsGroup } }) => runAsUser ?? fsGroup);

function labelsOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]: [string, unknown]) =>
    ['labels', 'matchLabels'].includes(key) && field !== null
      ? Object.values(field as object).map(String)
      : labelsOf(field),
  );
}
