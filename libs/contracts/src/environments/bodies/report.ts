import { body, closed, optional, withConversion } from '../../http/bodies/body';
import { NAME_MAX } from '../../http/bodies/limits';
import { isPlain } from '../../http/bodies/plain';
import { flag, list, oneOf, type Shape, text } from '../../http/shape';
import type { EnvironmentType, InstanceContext } from '../events';
import { artifactsOf, type Item, itemFields, kind } from './report-rules';

/** Names on the platforms are shorter (Kubernetes 253 characters, ECS 255), but some clients send more than the name. */
const NAME = { max: NAME_MAX };
const ARN_MAX = 2_048;
const OWNERS_MAX = 100;

export type ReportedType = Exclude<EnvironmentType, 'logical'>;

/**
 * The report of one type of environment, `PUT /environments/{org}/{env}/report/{type}`: everything that runs now (specification 2.9 and 4.3).
 *
 * @param beside the details that it has besides digests and times, as a sentence
 */
function reportOf<const Type extends ReportedType>(type: Type, name: string, item: Shape<Item>, beside?: string) {
  return { type, shape: closed(name, { type: kind(type), artifacts: artifactsOf(item) }), beside };
}
export type ReportOf<Type extends ReportedType> = ReturnType<typeof reportOf<Type>>;

const keeps = (what: string, where: string) =>
  `${what} recorded with the snapshots that a report makes, and shown as \`${where}\`; a difference in these only creates no snapshot.`;

/** An item with the details of its instance, as events have them. */
function withContext<T extends Item>(item: Shape<T>, contextOf: (sent: T) => InstanceContext): Shape<Item> {
  return withConversion(item, (sent) => {
    return { digests: sent.digests, creationTimestamp: sent.creationTimestamp, context: contextOf(sent) };
  });
}

/** One container and its image. */
const DockerReportArtifact = closed('DockerReportArtifact', itemFields({ named: ['image name', 'shop/web:1.4'] }));
export const dockerReport = reportOf('docker', 'DockerReport', DockerReportArtifact);

/** One process, or one directory, on a server. */
const ServerReportArtifact = closed(
  'ServerReportArtifact',
  itemFields({ named: ['file or directory name', '/srv/shop/web.jar'] }),
);
export const serverReport = reportOf('server', 'ServerReport', ServerReportArtifact);

/** The content of one bucket. */
const S3ReportArtifact = closed(
  'S3ReportArtifact',
  itemFields({ named: ['bucket name', 'shop-assets'], single: true }),
);
export const s3Report = reportOf('S3', 'S3Report', S3ReportArtifact);

/** One function. */
const LambdaReportArtifact = closed(
  'LambdaReportArtifact',
  itemFields({ named: ['function name', 'shop-mailer'], single: true }),
);
export const lambdaReport = reportOf('lambda', 'LambdaReport', LambdaReportArtifact);

/** The owner of a pod: a Kubernetes OwnerReference. */
const PodOwnerReference = body('PodOwnerReference', {
  apiVersion: text('API group and version of the owner.', { ...NAME, example: 'apps/v1' }),
  kind: text('Kind of the owner.', { ...NAME, example: 'ReplicaSet' }),
  name: text('Name of the owner.', { ...NAME, example: 'web-5d9c7b4f6' }),
  uid: text('UID of the owner.', { ...NAME, example: 'd9607e19-f88f-11e6-a518-42010a800195' }),
  controller: optional(flag('Whether it is the controller.', { example: true })),
  blockOwnerDeletion: optional(flag('Whether the owner waits for the pod when it is deleted.', { example: true })),
});

/** One pod, with its containers. */
const K8sReportArtifact = withContext(
  closed('K8sReportArtifact', {
    podName: text('Name of the pod.', { min: 1, ...NAME, example: 'web-5d9c7b4f6-x2x7k' }),
    namespace: text('Namespace of the pod.', { ...NAME, example: 'shop' }),
    ...itemFields({ named: ['image name', 'shop/web:1.4'], unknown: true }),
    owners: optional(list(PodOwnerReference, 'The owner of the pod.', { max: OWNERS_MAX })),
  }),
  ({ podName, namespace, owners }) => ({ of: 'pod', pod: podName, namespace, owners: owners ?? null }),
);
export const k8sReport = reportOf(
  'K8S',
  'K8sReport',
  K8sReportArtifact,
  keeps('Names, namespaces and owners of pods are', 'pods'),
);

/** One task, with its containers. An empty name is none. */
const EcsReportArtifact = withContext(
  closed('EcsReportArtifact', {
    taskArn: text('ARN of the task.', {
      min: 1,
      max: ARN_MAX,
      example: 'arn:aws:ecs:eu-central-1:111122223333:task/shop/0123456789abcdef',
    }),
    cluster_name: optional(text('Name of the cluster.', { ...NAME, example: 'shop' })),
    service_name: optional(text('Name of the service that started the task.', { ...NAME, example: 'web' })),
    ...itemFields({ named: ['image name', 'shop/web:1.4'], unknown: true }),
  }),
  ({ taskArn, cluster_name, service_name }) => ({
    of: 'task',
    arn: taskArn,
    cluster: cluster_name || null,
    service: service_name || null,
  }),
);
export const ecsReport = reportOf(
  'ECS',
  'EcsReport',
  EcsReportArtifact,
  keeps('Tasks, clusters and services are', 'ecs_context'),
);

/** One app: a web app or a function app. */
const AzureAppsReportArtifact = withContext(
  closed('AzureAppsReportArtifact', {
    app_name: text('Name of the app.', { min: 1, ...NAME, example: 'shop-web' }),
    app_kind: text('Kind of the app.', { ...NAME, example: 'app,linux,container' }),
    digests_source: text('The source of the digests.', { ...NAME, example: 'acr' }),
    ...itemFields({ named: ['image or app name', 'shop/web:1.4'], unknown: true }),
  }),
  ({ app_name, app_kind, digests_source }) => ({
    of: 'azure-app',
    app: app_name,
    kind: app_kind,
    digestsSource: digests_source,
  }),
);
export const azureAppsReport = reportOf(
  'azure-apps',
  'AzureAppsReport',
  AzureAppsReportArtifact,
  keeps('Names and kinds of apps and the source of their digests are', 'azure_context'),
);

/** One revision of a service, or one job. An empty name is none. */
const CloudRunReportArtifact = withContext(
  closed('CloudRunReportArtifact', {
    ...itemFields({ named: ['image name', 'shop/web:1.4'], unknown: true }),
    kind: oneOf(['service', 'job'], 'The kind of resource that runs the image.', { example: 'service' }),
    serviceName: optional(text('Name of the service.', { ...NAME, example: 'web' })),
    revisionName: optional(text('Name of the revision of the service.', { ...NAME, example: 'web-00042-abc' })),
    jobName: optional(text('Name of the job.', { ...NAME, example: 'nightly-invoices' })),
  }),
  ({ kind, serviceName, revisionName, jobName }) => ({
    of: 'cloud-run',
    kind,
    service: serviceName || null,
    revision: revisionName || null,
    job: jobName || null,
  }),
);
export const cloudRunReport = reportOf(
  'cloud-run',
  'CloudRunReport',
  CloudRunReportArtifact,
  keeps('Services with their revisions, and jobs, are', 'cloud_run_context'),
);

/** Counts the artifacts of a report before it is validated. Each digest of an item counts as one artifact, and so does an item without digests. */
export function artifactCount(body: unknown): number {
  const items = isPlain(body) ? body['artifacts'] : null;
  if (!Array.isArray(items)) return 0;
  return items.reduce<number>((count, item: unknown) => {
    const digests = isPlain(item) ? item['digests'] : null;
    return count + Math.max(1, isPlain(digests) ? Object.keys(digests).length : 1);
  }, 0);
}
