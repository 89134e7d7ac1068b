import { body, closed, optional } from '../../http/bodies/body';
import { NAME_MAX } from '../../http/bodies/limits';
import { flag, list, oneOf, text, type TypeOf } from '../../http/shape';
import { artifactsOf, itemFields, kind } from './report-rules';

/** Names on the platforms are shorter (Kubernetes 253 characters, ECS 255), but some clients send more than the name. */
const NAME = { max: NAME_MAX };
const ARN_MAX = 2_048;
const OWNERS_MAX = 100;

/** The owner of a pod: a Kubernetes OwnerReference. */
export const PodOwnerReference = body('PodOwnerReference', {
  apiVersion: text('API group and version of the owner.', { ...NAME, example: 'apps/v1' }),
  kind: text('Kind of the owner.', { ...NAME, example: 'ReplicaSet' }),
  name: text('Name of the owner.', { ...NAME, example: 'web-5d9c7b4f6' }),
  uid: text('UID of the owner.', { ...NAME, example: 'd9607e19-f88f-11e6-a518-42010a800195' }),
  controller: optional(flag('Whether it is the controller.', { example: true })),
  blockOwnerDeletion: optional(flag('Whether the owner waits for the pod when it is deleted.', { example: true })),
});
export type PodOwnerReference = TypeOf<typeof PodOwnerReference>;

/** One pod, with its containers. */
export const K8sReportArtifact = closed('K8sReportArtifact', {
  podName: text('Name of the pod.', { min: 1, ...NAME, example: 'web-5d9c7b4f6-x2x7k' }),
  namespace: text('Namespace of the pod.', { ...NAME, example: 'shop' }),
  ...itemFields({ named: ['image name', 'shop/web:1.4'], unknown: true }),
  owners: optional(list(PodOwnerReference, 'The owner of the pod.', { max: OWNERS_MAX })),
});
export type K8sReportArtifact = TypeOf<typeof K8sReportArtifact>;

/** `PUT /environments/{org}/{env}/report/K8S`. */
export const K8sReport = closed('K8sReport', { type: kind('K8S'), artifacts: artifactsOf(K8sReportArtifact) });

/** One task, with its containers. */
export const EcsReportArtifact = closed('EcsReportArtifact', {
  taskArn: text('ARN of the task.', {
    min: 1,
    max: ARN_MAX,
    example: 'arn:aws:ecs:eu-central-1:111122223333:task/shop/0123456789abcdef',
  }),
  cluster_name: optional(text('Name of the cluster.', { ...NAME, example: 'shop' })),
  service_name: optional(text('Name of the service that started the task.', { ...NAME, example: 'web' })),
  ...itemFields({ named: ['image name', 'shop/web:1.4'], unknown: true }),
});
export type EcsReportArtifact = TypeOf<typeof EcsReportArtifact>;

/** `PUT /environments/{org}/{env}/report/ECS`. */
export const EcsReport = closed('EcsReport', { type: kind('ECS'), artifacts: artifactsOf(EcsReportArtifact) });

/** One app: a web app or a function app. */
export const AzureAppsReportArtifact = closed('AzureAppsReportArtifact', {
  app_name: text('Name of the app.', { min: 1, ...NAME, example: 'shop-web' }),
  app_kind: text('Kind of the app.', { ...NAME, example: 'app,linux,container' }),
  digests_source: text('The source of the digests.', { ...NAME, example: 'acr' }),
  ...itemFields({ named: ['image or app name', 'shop/web:1.4'], unknown: true }),
});
export type AzureAppsReportArtifact = TypeOf<typeof AzureAppsReportArtifact>;

/** `PUT /environments/{org}/{env}/report/azure-apps`. */
export const AzureAppsReport = closed('AzureAppsReport', {
  type: kind('azure-apps'),
  artifacts: artifactsOf(AzureAppsReportArtifact),
});

/** One revision of a service, or one job. */
export const CloudRunReportArtifact = closed('CloudRunReportArtifact', {
  ...itemFields({ named: ['image name', 'shop/web:1.4'], unknown: true }),
  kind: oneOf(['service', 'job'], 'The kind of resource that runs the image.', { example: 'service' }),
  serviceName: optional(text('Name of the service.', { ...NAME, example: 'web' })),
  revisionName: optional(text('Name of the revision of the service.', { ...NAME, example: 'web-00042-abc' })),
  jobName: optional(text('Name of the job.', { ...NAME, example: 'nightly-invoices' })),
});
export type CloudRunReportArtifact = TypeOf<typeof CloudRunReportArtifact>;

/** `PUT /environments/{org}/{env}/report/cloud-run`. */
export const CloudRunReport = closed('CloudRunReport', {
  type: kind('cloud-run'),
  artifacts: artifactsOf(CloudRunReportArtifact),
});
