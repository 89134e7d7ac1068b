import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { azureAppsSource } from './azure-apps';
import { cloudRunSource } from './cloud-run';
import { kubernetesSource } from './kubernetes-client';
import { Metrics } from './metrics';
import { EVERYTHING } from './name-filter';
import { type Kind, KINDS, type Source } from './report';
import { Reporter } from './reporter';
import { sourceOf } from './sources';
import { Cloud, digest, NETWORK, type ReplayedResponse } from './testing/replay';

const TIME = '2026-11-02T10:00:00Z';
const AT = Date.parse(TIME) / 1_000;
const folder = mkdtempSync(join(tmpdir(), 'assurance-bodies-'));
const socket = join(folder, 'docker.sock');
const jar = join(folder, 'shop.jar');
const token = async () => Promise.resolve('t');
const aws = (endpoint: string) => ({ region: 'eu-west-1', profile: null, endpoint });

const owner = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'web-5d9c',
  uid: 'u-1',
  controller: true,
  blockOwnerDeletion: true,
};
const pod = {
  metadata: { name: 'web-5d9c-x', namespace: 'shop', creationTimestamp: TIME, ownerReferences: [owner] },
  spec: {
    containers: [
      { name: 'web', image: 'shop/web:1' },
      { name: 'proxy', image: 'envoy:2' },
    ],
  },
  status: {
    phase: 'Running',
    containerStatuses: [
      { name: 'web', image: 'docker.io/shop/web:1', imageID: `docker.io/shop/web@sha256:${digest('a')}` },
      { name: 'proxy', image: 'docker.io/library/envoy:2', imageID: `envoy@sha256:${digest('b')}` },
    ],
  },
};
const arn = (name: string) => `arn:aws:ecs:eu-west-1:123456789012:${name}`;
const task = {
  taskArn: arn('task/shop/1'),
  lastStatus: 'RUNNING',
  group: 'service:web',
  startedAt: AT,
  containers: [
    { name: 'web', image: 'shop/web:1', imageDigest: `sha256:${digest('a')}` },
    { name: 'pulled', image: 'shop/other:1' },
  ],
};
const ecsAnswers: Record<string, object> = {
  ListClusters: { clusterArns: [arn('cluster/shop')] },
  DescribeClusters: { clusters: [{ clusterName: 'shop' }], failures: [] },
  ListTasks: { taskArns: [task.taskArn] },
  DescribeTasks: { tasks: [task], failures: [] },
};
const functions = [
  {
    FunctionName: 'resize',
    PackageType: 'Image',
    CodeSha256: digest('a'),
    LastModified: '2026-11-02T10:00:00.000+0000',
  },
];
const bucket = `<ListBucketResult><Name>shop</Name><IsTruncated>false</IsTruncated>
<Contents><Key>jars/shop.jar</Key><LastModified>2026-11-02T10:00:00.000Z</LastModified><ETag>"1"</ETag></Contents></ListBucketResult>`;
const place = 'projects/shop/locations/europe-west1';
const image = `europe-docker.pkg.dev/shop/web@sha256:${digest('a')}`;
const cloudRun: Record<string, object> = {
  services: { services: [{ name: `${place}/services/web`, traffic: [{ revision: 'web-1' }] }] },
  'web-1': { name: `${place}/services/web/revisions/web-1`, createTime: TIME, containers: [{ image }] },
  jobs: {
    jobs: [{ name: `${place}/jobs/nightly`, createTime: TIME, template: { template: { containers: [{ image }] } } }],
  },
};
const site = {
  name: 'web',
  kind: 'app,linux,container',
  properties: { state: 'Running', siteConfig: { linuxFxVersion: 'DOCKER|shop.azurecr.io/web:1' } },
};
const siteLog = `${TIME} INFO  -  Digest: sha256:${digest('a')}
${TIME} INFO  - Container web_0 for site web initialized successfully and is ready to serve requests.
`;

interface State {
  /** The cloud's answer to a path. */
  readonly answers: (path: string, operation: string) => ReplayedResponse;
  readonly source: (endpoint: string) => Source;
  /** The body that the published command line sends for this state. */
  readonly body: object;
}

/** One state for each kind, with all fields of its body. */
const STATES: Readonly<Record<Kind, State>> = {
  K8S: {
    answers: () => ({ body: { metadata: {}, items: [pod] } }),
    source: (url) => kubernetesSource({ url, token: () => 't', network: NETWORK }, EVERYTHING, 'command-line'),
    body: {
      artifacts: [
        {
          podName: 'web-5d9c-x',
          namespace: 'shop',
          digests: { 'docker.io/shop/web:1': digest('a'), 'docker.io/library/envoy:2': digest('b') },
          creationTimestamp: AT,
          owners: [owner],
        },
      ],
    },
  },
  ECS: {
    answers: (_, operation) => ({ body: ecsAnswers[operation] ?? {} }),
    source: (endpoint) =>
      sourceOf(
        {
          kind: 'ECS',
          aws: aws(endpoint),
          clusters: EVERYTHING,
          services: EVERYTHING,
          standaloneTasks: true,
          containers: 'command-line',
        },
        NETWORK,
        {},
      ),
    body: {
      artifacts: [
        {
          taskArn: task.taskArn,
          cluster_name: 'shop',
          service_name: 'web',
          digests: { 'shop/web:1': digest('a'), 'shop/other:1': '' },
          creationTimestamp: AT,
        },
      ],
    },
  },
  lambda: {
    answers: () => ({ body: { Functions: functions } }),
    source: (endpoint) => sourceOf({ kind: 'lambda', aws: aws(endpoint), functions: EVERYTHING }, NETWORK, {}),
    body: { artifacts: [{ digests: { resize: digest('a') }, creationTimestamp: AT }] },
  },
  S3: {
    answers: (path) => ({ body: path.includes('list-type') ? bucket : 'jar' }),
    source: (endpoint) => sourceOf({ kind: 'S3', aws: aws(endpoint), bucket: 'shop', keys: EVERYTHING }, NETWORK, {}),
    body: { artifacts: [{ digests: { 'shop.jar': sha256('jar') }, creationTimestamp: AT }] },
  },
  docker: {
    answers: (path) =>
      path === '/containers/json'
        ? { body: [{ Id: '1', Names: ['/web'], Image: 'shop/web:1', Created: AT }] }
        : { body: { RepoDigests: [`shop/web@sha256:${digest('a')}`] } },
    source: () => sourceOf({ kind: 'docker', socket, containers: EVERYTHING }, NETWORK, {}),
    body: { artifacts: [{ digests: { 'shop/web:1': digest('a') }, creationTimestamp: AT }] },
  },
  server: {
    answers: () => ({ status: 500 }),
    source: () => sourceOf({ kind: 'server', paths: { paths: [jar], exclude: [], artifacts: [] } }, NETWORK, {}),
    body: { artifacts: [{ digests: { [jar]: sha256('jar') }, creationTimestamp: AT }] },
  },
  'cloud-run': {
    answers: (path) => ({ body: cloudRun[path.split('?')[0]?.split('/').at(-1) ?? ''] ?? {} }),
    source: (endpoint) =>
      cloudRunSource({
        project: 'shop',
        region: 'europe-west1',
        names: EVERYTHING,
        endpoint,
        network: NETWORK,
        token,
      }),
    body: {
      type: 'cloud-run',
      artifacts: [
        { digests: { [image]: digest('a') }, creationTimestamp: AT, kind: 'job', jobName: 'nightly' },
        {
          digests: { [image]: digest('a') },
          creationTimestamp: AT,
          kind: 'service',
          serviceName: 'web',
          revisionName: 'web-1',
        },
      ],
    },
  },
  'azure-apps': {
    answers: (path) => ({ body: path.includes('containerlogs') ? siteLog : { value: [site] } }),
    source: (endpoint) =>
      azureAppsSource({
        subscription: 's-1',
        resourceGroup: 'shop',
        digestsSource: 'logs',
        apps: EVERYTHING,
        endpoint,
        network: NETWORK,
        token,
      }),
    body: {
      artifacts: [
        {
          app_name: 'web',
          app_kind: 'app,linux,container',
          digests_source: 'logs',
          digests: { 'shop.azurecr.io/web:1': digest('a') },
          creationTimestamp: AT,
        },
      ],
    },
  },
};

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe('what the reporter sends', () => {
  const [cloud, daemon, service] = [new Cloud(), new Cloud(), new Cloud()];
  let endpoint: string;
  let url: string;
  const sent: { readonly type: string | undefined; readonly body: unknown }[] = [];

  beforeAll(async () => {
    process.env['AWS_ACCESS_KEY_ID'] = process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
    writeFileSync(jar, 'jar');
    utimesSync(jar, AT, AT);
    [endpoint, url] = [await cloud.start(), await service.start()];
    await daemon.start(socket);
    service.answer = ({ headers }, body) => {
      sent.push({ type: headers['content-type'], body: JSON.parse(body) });
      return { body: '"Report processed, snapshot 1 created"' };
    };
  });
  afterAll(() => {
    for (const each of [cloud, daemon, service]) each.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(KINDS)('of %s is the body of the published command line, to the same address', async (kind) => {
    const { answers, source, body } = STATES[kind];
    for (const each of [cloud, daemon])
      each.answer = ({ url: path = '', headers }) => answers(path, String(headers['x-amz-target']).split('.')[1] ?? '');
    const target = {
      url,
      organization: 'acme',
      environment: 'production',
      kind,
      create: null,
      key: () => 'key',
      network: NETWORK,
    } as const;
    const metrics = new Metrics([{ environment: 'production', kind }]);
    const signal = new AbortController().signal;
    service.requests.length = sent.length = 0;
    expect(await new Reporter(target, source(endpoint), metrics, () => undefined, signal).runOnce()).toBe(true);
    expect(service.requests).toEqual([`PUT /api/v2/environments/acme/production/report/${kind}`]);
    expect(sent).toStrictEqual([{ type: 'application/json', body }]);
  });
});
