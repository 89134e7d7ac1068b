import { ArrayMaxSize } from 'class-validator';
import { body, closed, type Rule } from '../../http/bodies/body';
import { NAME_MAX } from '../../http/bodies/limits';
import { all, Doc, Flag, NestedList, Optional, Text, Word } from '../../http/bodies/rules';
import { itemFields, Items, Kind } from './report-rules';

/** Names on the platforms are shorter (Kubernetes 253 characters, ECS 255), but some clients send more than the name. */
const NAME = { max: NAME_MAX };
const ARN_MAX = 2_048;
const OWNERS_MAX = 100;

/** The owner of a pod: a Kubernetes OwnerReference. */
export const PodOwnerReference = body('PodOwnerReference', {
  apiVersion: [Doc('API group and version of the owner.', 'apps/v1'), Text(NAME)],
  kind: [Doc('Kind of the owner.', 'ReplicaSet'), Text(NAME)],
  name: [Doc('Name of the owner.', 'web-5d9c7b4f6'), Text(NAME)],
  uid: [Doc('UID of the owner.', 'd9607e19-f88f-11e6-a518-42010a800195'), Text(NAME)],
  controller: [Doc('Whether it is the controller.', true), Optional(Flag())],
  blockOwnerDeletion: [Doc('Whether the owner waits for the pod when it is deleted.', true), Optional(Flag())],
});
export type PodOwnerReference = InstanceType<typeof PodOwnerReference>;

const owners: Rule<readonly PodOwnerReference[]> = all(
  ArrayMaxSize(OWNERS_MAX, { message: `Input should have at most ${OWNERS_MAX} items` }),
  NestedList(() => PodOwnerReference),
);

/** One pod, with its containers. */
export const K8sReportArtifact = closed('K8sReportArtifact', {
  podName: [Doc('Name of the pod.', 'web-5d9c7b4f6-x2x7k'), Text({ min: 1, ...NAME })],
  namespace: [Doc('Namespace of the pod.', 'shop'), Text(NAME)],
  ...itemFields({ named: ['image name', 'shop/web:1.4'], unknown: true }),
  owners: [Doc('The owner of the pod.'), Optional(owners)],
});
export type K8sReportArtifact = InstanceType<typeof K8sReportArtifact>;

/** `PUT /environments/{org}/{env}/report/K8S`. */
export const K8sReport = closed('K8sReport', { type: Kind('K8S'), artifacts: Items(() => K8sReportArtifact) });

/** One task, with its containers. */
export const EcsReportArtifact = closed('EcsReportArtifact', {
  taskArn: [
    Doc('ARN of the task.', 'arn:aws:ecs:eu-central-1:111122223333:task/shop/0123456789abcdef'),
    Text({ min: 1, max: ARN_MAX }),
  ],
  cluster_name: [Doc('Name of the cluster.', 'shop'), Optional(Text(NAME))],
  service_name: [Doc('Name of the service that started the task.', 'web'), Optional(Text(NAME))],
  ...itemFields({ named: ['image name', 'shop/web:1.4'], unknown: true }),
});
export type EcsReportArtifact = InstanceType<typeof EcsReportArtifact>;

/** `PUT /environments/{org}/{env}/report/ECS`. */
export const EcsReport = closed('EcsReport', { type: Kind('ECS'), artifacts: Items(() => EcsReportArtifact) });

/** One app: a web app or a function app. */
export const AzureAppsReportArtifact = closed('AzureAppsReportArtifact', {
  app_name: [Doc('Name of the app.', 'shop-web'), Text({ min: 1, ...NAME })],
  app_kind: [Doc('Kind of the app.', 'app,linux,container'), Text(NAME)],
  digests_source: [Doc('The source of the digests.', 'acr'), Text(NAME)],
  ...itemFields({ named: ['image or app name', 'shop/web:1.4'], unknown: true }),
});
export type AzureAppsReportArtifact = InstanceType<typeof AzureAppsReportArtifact>;

/** `PUT /environments/{org}/{env}/report/azure-apps`. */
export const AzureAppsReport = closed('AzureAppsReport', {
  type: Kind('azure-apps'),
  artifacts: Items(() => AzureAppsReportArtifact),
});

/** One revision of a service, or one job. */
export const CloudRunReportArtifact = closed('CloudRunReportArtifact', {
  ...itemFields({ named: ['image name', 'shop/web:1.4'], unknown: true }),
  kind: [Doc('The kind of resource that runs the image.', 'service'), Word(['service', 'job'])],
  serviceName: [Doc('Name of the service.', 'web'), Optional(Text(NAME))],
  revisionName: [Doc('Name of the revision of the service.', 'web-00042-abc'), Optional(Text(NAME))],
  jobName: [Doc('Name of the job.', 'nightly-invoices'), Optional(Text(NAME))],
});
export type CloudRunReportArtifact = InstanceType<typeof CloudRunReportArtifact>;

/** `PUT /environments/{org}/{env}/report/cloud-run`. */
export const CloudRunReport = closed('CloudRunReport', {
  type: Kind('cloud-run'),
  artifacts: Items(() => CloudRunReportArtifact),
});
