import {
  type Cluster,
  DescribeClustersCommand,
  DescribeServicesCommand,
  DescribeTasksCommand,
  type ECSClient,
  type Failure,
  paginateListClusters,
  paginateListServices,
  paginateListTasks,
  type Task,
} from '@aws-sdk/client-ecs';
import { accepts, type NameFilter } from './name-filter';
import { chunksOf, ordered, type Report, type ReportItem, secondsOf, type Source } from './report';

interface TaskItem extends ReportItem {
  readonly taskArn: string;
  readonly cluster_name?: string;
  readonly service_name?: string;
}

export interface ServiceTask {
  readonly cluster: string;
  readonly service: string;
  readonly task: Task;
}

/** The running tasks of services, ordered by ARN. */
function tasksReport(tasks: readonly ServiceTask[]): Report<TaskItem> {
  const running = tasks.filter(({ task }) => task.lastStatus === 'RUNNING');
  const items = running.map(({ cluster, service, task }) => ({
    taskArn: task.taskArn ?? '',
    cluster_name: cluster,
    service_name: service,
    digests: Object.fromEntries((task.containers ?? []).map(digestOf)),
    creationTimestamp: secondsOf(task.startedAt),
  }));
  return { artifacts: ordered(items, ({ taskArn }) => taskArn) };
}

/** A container that AWS adds itself, such as GuardDuty's, has no image: its own name stands for it. */
function digestOf({ image, name, imageDigest }: NonNullable<Task['containers']>[number]): [string, string] {
  const shown = image ?? name ?? '';
  return [shown, imageDigest?.replace(/^sha256:/, '') ?? shown.split('@sha256:')[1] ?? ''];
}

/** All tasks of the services of an account's clusters in one region. */
export function ecsSource(client: ECSClient, clusters: NameFilter, services: NameFilter): Source {
  return {
    async collect() {
      const tasks: ServiceTask[] = [];
      for (const cluster of await clusterNames(client)) {
        if (!accepts(clusters, cluster)) continue;
        for (const service of await serviceNames(client, cluster)) {
          if (accepts(services, service)) tasks.push(...(await tasksOf(client, cluster, service)));
        }
      }
      return tasksReport(tasks);
    },
  };
}

async function clusterNames(client: ECSClient): Promise<string[]> {
  const arns: string[] = [];
  for await (const page of paginateListClusters({ client }, {})) arns.push(...(page.clusterArns ?? []));
  const found: Cluster[] = [];
  for (const chunk of chunksOf(arns, 100)) {
    const answer = await client.send(new DescribeClustersCommand({ clusters: chunk }));
    complete(answer.failures);
    found.push(...(answer.clusters ?? []));
  }
  return found.flatMap(({ clusterName }) => clusterName ?? []);
}

async function serviceNames(client: ECSClient, cluster: string): Promise<string[]> {
  const arns: string[] = [];
  for await (const page of paginateListServices({ client }, { cluster })) arns.push(...(page.serviceArns ?? []));
  const names: string[] = [];
  for (const services of chunksOf(arns, 10)) {
    const answer = await client.send(new DescribeServicesCommand({ cluster, services }));
    complete(answer.failures);
    names.push(...(answer.services ?? []).flatMap(({ serviceName }) => serviceName ?? []));
  }
  return names;
}

async function tasksOf(client: ECSClient, cluster: string, serviceName: string): Promise<ServiceTask[]> {
  const arns: string[] = [];
  for await (const page of paginateListTasks({ client }, { cluster, serviceName })) arns.push(...(page.taskArns ?? []));
  const found: ServiceTask[] = [];
  for (const tasks of chunksOf(arns, 100)) {
    const answer = await client.send(new DescribeTasksCommand({ cluster, tasks }));
    complete(answer.failures);
    found.push(...(answer.tasks ?? []).map((task) => ({ cluster, service: serviceName, task })));
  }
  return found;
}

/** What is missing went away between the list and its description; every other failure hides something that runs. */
function complete(failures: readonly Failure[] | undefined): void {
  const hidden = failures?.find(({ reason }) => reason !== 'MISSING');
  if (hidden !== undefined)
    throw new Error(`ECS does not describe ${hidden.arn}: ${hidden.reason} ${hidden.detail ?? ''}`);
}
