import { EVERYTHING, type NameFilter } from './name-filter';
import type { Containers } from './report';
import { sourceOf } from './sources';
import { Cloud, digest, NETWORK, type ReplayedResponse } from './testing/replay';

const STARTED = 1_793_613_600;
const arn = (name: string) => `arn:aws:ecs:eu-west-1:123456789012:${name}`;

/** Answers of ECS by operation. Each list has two pages. */
function ecs(operation: string, input: Record<string, unknown>): ReplayedResponse {
  const second = input['nextToken'] === 'next';
  const page = (field: string, first: string, last: string) => ({
    body: second ? { [field]: [arn(last)] } : { [field]: [arn(first)], nextToken: 'next' },
  });
  const namesIn = (field: string) => (input[field] as string[]).map((each) => each.split('/').at(-1) ?? '');
  switch (operation) {
    case 'ListClusters':
      return page('clusterArns', 'cluster/shop', 'cluster/tools');
    case 'DescribeClusters':
      return { body: { clusters: namesIn('clusters').map((clusterName) => ({ clusterName })), failures: [] } };
    case 'ListTasks':
      if (input['cluster'] === 'tools') return { body: { taskArns: [] } };
      return page('taskArns', 'task/shop/2', 'task/shop/1');
    default:
      return { body: { tasks: namesIn('tasks').map(task), failures: [] } };
  }
}

const task = (id: string) => ({
  taskArn: arn(`task/shop/${id}`),
  lastStatus: 'RUNNING',
  group: 'service:web',
  startedAt: STARTED,
  containers: [
    { name: 'web', image: 'shop/web:1', imageDigest: `sha256:${digest('a')}` },
    { name: 'pinned', image: `shop/proxy@sha256:${digest('b')}` },
    { name: 'aws-guardduty-agent' },
  ],
});

const item = (id: string) => ({
  taskArn: arn(`task/shop/${id}`),
  cluster_name: 'shop',
  service_name: 'web',
  digests: { 'shop/web:1': digest('a'), [`shop/proxy@sha256:${digest('b')}`]: digest('b'), 'aws-guardduty-agent': '' },
  creationTimestamp: STARTED,
});

describe('the report of ECS', () => {
  const cloud = new Cloud();
  let endpoint: string;
  let replay: typeof ecs;

  beforeAll(async () => {
    process.env['AWS_ACCESS_KEY_ID'] = process.env['AWS_SECRET_ACCESS_KEY'] = 'test';
    endpoint = await cloud.start();
    cloud.answer = (request, body) =>
      replay(String(request.headers['x-amz-target']).split('.')[1] ?? '', JSON.parse(body) as Record<string, unknown>);
  });
  beforeEach(() => (replay = ecs));
  afterAll(() => cloud.stop());

  const collect = async (
    clusters = EVERYTHING,
    services: NameFilter = EVERYTHING,
    standaloneTasks = true,
    containers: Containers = 'running',
  ) => {
    const aws = { region: 'eu-west-1', profile: null, endpoint };
    return sourceOf({ kind: 'ECS', aws, clusters, services, standaloneTasks, containers }, NETWORK, {}).collect();
  };

  it('has the tasks of all pages', async () => {
    expect(await collect()).toEqual({ artifacts: [item('1'), item('2')] });
  });

  it('has each digest of a name, and no container that has ended unless the command line is followed', async () => {
    const containers = [
      { name: 'a', image: 'tool:latest', imageDigest: `sha256:${digest('1')}` },
      { name: 'b', image: 'tool:latest', imageDigest: `sha256:${digest('2')}`, lastStatus: 'RUNNING' },
      { name: 'c', image: 'tool:latest' },
      { name: 'init', image: 'migrate:1', imageDigest: `sha256:${digest('3')}`, lastStatus: 'STOPPED' },
    ];
    replay = (operation, input) =>
      operation === 'DescribeTasks'
        ? { body: { tasks: [{ ...task('1'), containers }], failures: [] } }
        : ecs(operation, input);
    const digestsOf = async (...of: Parameters<typeof collect>) => (await collect(...of)).artifacts[0]?.digests;
    const tools = { 'tool:latest': digest('1'), [`tool:latest@sha256:${digest('2')}`]: digest('2') };
    expect(await digestsOf()).toEqual(tools);
    const published = await digestsOf(EVERYTHING, EVERYTHING, true, 'command-line');
    expect(published).toEqual({ ...tools, 'migrate:1': digest('3') });
  });

  it('has tasks that no service started, unless the filter includes services by name or leaves them out', async () => {
    replay = (operation, input) => {
      if (operation !== 'DescribeTasks') return ecs(operation, input);
      const ids = (input['tasks'] as string[]).map((each) => each.split('/').at(-1) ?? '');
      const tasks = ids.map((id) => (id === '1' ? { ...task(id), group: 'family:nightly' } : task(id)));
      return { body: { tasks, failures: [] } };
    };
    const { service_name: _, ...alone } = item('1');
    expect(await collect()).toEqual({ artifacts: [alone, item('2')] });
    expect(await collect(EVERYTHING, { ...EVERYTHING, exclude: ['web'] })).toEqual({ artifacts: [alone] });
    expect(await collect(EVERYTHING, { ...EVERYTHING, include: ['web'] })).toEqual({ artifacts: [item('2')] });
    expect(await collect(EVERYTHING, EVERYTHING, false)).toEqual({ artifacts: [item('2')] });
  });

  it('waits when AWS throttles', async () => {
    let throttled = 0;
    replay = (operation, input) => {
      if (operation !== 'DescribeTasks' || throttled > 0) return ecs(operation, input);
      throttled += 1;
      return { status: 400, body: { __type: 'ThrottlingException', message: 'Rate exceeded' } };
    };
    expect(await collect()).toEqual({ artifacts: [item('1'), item('2')] });
    expect(throttled).toBe(1);
  });

  it('leaves out what the filters exclude, and what no longer runs', async () => {
    const only = (...include: string[]) => ({ ...EVERYTHING, include });
    expect(await collect(only('tools'))).toEqual({ artifacts: [] });
    expect(await collect(EVERYTHING, { ...EVERYTHING, excludeRegex: [/^w/] })).toEqual({ artifacts: [] });
    replay = (operation, input) =>
      operation === 'DescribeTasks'
        ? {
            body: {
              tasks: [{ ...task('1'), lastStatus: 'STOPPED' }],
              failures: [{ arn: arn('task/shop/2'), reason: 'MISSING' }],
            },
          }
        : ecs(operation, input);
    expect(await collect()).toEqual({ artifacts: [] });
  });

  it('is empty for an empty account', async () => {
    replay = () => ({ body: { clusterArns: [] } });
    expect(await collect()).toEqual({ artifacts: [] });
  });

  it.each(['ListClusters', 'DescribeClusters', 'ListTasks', 'DescribeTasks'])(
    'fails when %s is denied for one page',
    async (denied) => {
      const message = `not authorized to perform ecs:${denied}`;
      replay = (operation, input) =>
        operation === denied && (input['nextToken'] === 'next' || operation.startsWith('Describe'))
          ? { status: 400, body: { __type: 'AccessDeniedException', message } }
          : ecs(operation, input);
      await expect(collect()).rejects.toThrow(message);
    },
  );

  it('fails when a task is there that ECS does not describe', async () => {
    replay = (operation, input) =>
      operation === 'DescribeTasks'
        ? { body: { tasks: [], failures: [{ arn: arn('task/shop/1'), reason: 'ACCESS_DENIED' }] } }
        : ecs(operation, input);
    await expect(collect()).rejects.toThrow('task/shop/1: ACCESS_DENIED');
  });
});
