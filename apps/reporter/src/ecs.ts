import {
  type Cluster,
  DescribeClustersCommand,
  DescribeTasksCommand,
  type ECSClient,
  type Failure,
  paginateListClusters,
  paginateListTasks,
  type Task,
} from '@aws-sdk/client-ecs';
import { acceptsName, type NameFilter } from './name-filter';
import {
  chunksOf,
  type Containers,
  digestsByName,
  type Report,
  type ReportItem,
  secondsOf,
  sortByText,
  type Source,
} from './report';

type Container = NonNullable<Task['containers']>[number];

interface TaskItem extends ReportItem {
  readonly taskArn: string;
  readonly cluster_name?: string;
  readonly service_name?: string;
}

interface ClusterTask {
  readonly cluster: string;
  /** Null for a task without a service. */
  readonly service: string | null;
  readonly task: Task;
}

/** Reports the running tasks, ordered by ARN. */
function tasksReport(tasks: readonly ClusterTask[], containers: Containers): Report<TaskItem> {
  const running = tasks.filter(({ task }) => task.lastStatus === 'RUNNING');
  const isReported = ({ lastStatus }: Container) => containers === 'command-line' || lastStatus !== 'STOPPED';
  const items = running.map(({ cluster, service, task }) => ({
    taskArn: task.taskArn ?? '',
    cluster_name: cluster,
    ...(service === null ? {} : { service_name: service }),
    digests: digestsByName((task.containers ?? []).filter(isReported).map(digestOf)),
    creationTimestamp: secondsOf(task.startedAt),
  }));
  return { artifacts: sortByText(items, ({ taskArn }) => taskArn) };
}

/** The digest of a container by its image. A container that AWS adds, such as GuardDuty's, has no image; its own name is used instead. */
function digestOf({ image, name, imageDigest }: Container): [string, string] {
  const imageName = image ?? name ?? '';
  return [imageName, imageDigest?.replace(/^sha256:/, '') ?? imageName.split('@sha256:')[1] ?? ''];
}

export interface EcsFilters {
  readonly clusters: NameFilter;
  readonly services: NameFilter;
  /** Whether tasks without a service are reported. If the filter includes services by name, they are not. */
  readonly standaloneTasks: boolean;
  readonly containers: Containers;
}

/** The source of all tasks of an account's clusters in one region. */
export function ecsSource(client: ECSClient, { clusters, services, standaloneTasks, containers }: EcsFilters): Source {
  const alone = standaloneTasks && services.include.length + services.includeRegex.length === 0;
  return {
    async collect() {
      const tasks: ClusterTask[] = [];
      for (const cluster of await clusterNames(client)) {
        if (!acceptsName(clusters, cluster)) continue;
        const clusterTasks = await tasksOf(client, cluster);
        tasks.push(
          ...clusterTasks.filter(({ service }) => (service === null ? alone : acceptsName(services, service))),
        );
      }
      return tasksReport(tasks, containers);
    },
  };
}

async function clusterNames(client: ECSClient): Promise<string[]> {
  const arns: string[] = [];
  for await (const page of paginateListClusters({ client }, {})) arns.push(...(page.clusterArns ?? []));
  const clusters: Cluster[] = [];
  for (const chunk of chunksOf(arns, 100)) {
    const answer = await client.send(new DescribeClustersCommand({ clusters: chunk }));
    checkFailures(answer.failures);
    clusters.push(...(answer.clusters ?? []));
  }
  return clusters.flatMap(({ clusterName }) => clusterName ?? []);
}

/** All tasks of a cluster in one list. Lists by service would leave out tasks without a service. */
async function tasksOf(client: ECSClient, cluster: string): Promise<ClusterTask[]> {
  const arns: string[] = [];
  for await (const page of paginateListTasks({ client }, { cluster })) arns.push(...(page.taskArns ?? []));
  const clusterTasks: ClusterTask[] = [];
  for (const tasks of chunksOf(arns, 100)) {
    const answer = await client.send(new DescribeTasksCommand({ cluster, tasks }));
    checkFailures(answer.failures);
    clusterTasks.push(...(answer.tasks ?? []).map((task) => ({ cluster, service: serviceOf(task), task })));
  }
  return clusterTasks;
}

/** ECS names the group of a service's tasks after the service. */
function serviceOf({ group = '' }: Task): string | null {
  return group.startsWith('service:') ? group.slice('service:'.length) : null;
}

/** A task with the reason `MISSING` ended between the list and its description. Every other failure hides a running task. */
function checkFailures(failures: readonly Failure[] | undefined): void {
  const hidden = failures?.find(({ reason }) => reason !== 'MISSING');
  if (hidden !== undefined)
    throw new Error(`ECS does not describe ${hidden.arn}: ${hidden.reason} ${hidden.detail ?? ''}`);
}
