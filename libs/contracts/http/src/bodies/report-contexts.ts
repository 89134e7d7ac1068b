import { ArrayMaxSize } from 'class-validator';
import { Closed } from './described';
import { NAME_MAX } from './limits';
import { Created, Digests, Items } from './report-rules';
import { Doc, Flag, NestedList, Optional, Text, Word } from './rules';

/** Platforms give shorter names (Kubernetes 253 characters, ECS 255), but not all clients send names alone. */
const NAME = { max: NAME_MAX };
const ARN_MAX = 2_048;
const OWNERS_MAX = 100;

/** The owner of a pod: a Kubernetes OwnerReference. */
@Closed()
export class PodOwnerReference {
  @Doc('API group and version of the owner.', 'apps/v1')
  @Text(NAME)
  apiVersion!: string;

  @Doc('Kind of the owner.', 'ReplicaSet')
  @Text(NAME)
  kind!: string;

  @Doc('Name of the owner.', 'web-5d9c7b4f6')
  @Text(NAME)
  name!: string;

  @Doc('UID of the owner.', 'd9607e19-f88f-11e6-a518-42010a800195')
  @Text(NAME)
  uid!: string;

  @Doc('Whether it is the controller.', true)
  @Optional(Flag())
  controller?: boolean;

  @Doc('Whether the owner waits for the pod when it is deleted.', true)
  @Optional(Flag())
  blockOwnerDeletion?: boolean;
}

/** One pod, with its containers. */
@Closed()
export class K8sReportArtifact {
  @Doc('Name of the pod.', 'web-5d9c7b4f6-x2x7k')
  @Text({ min: 1, ...NAME })
  podName!: string;

  @Doc('Namespace of the pod.', 'shop')
  @Text(NAME)
  namespace!: string;

  @Digests({ named: ['image name', 'shop/web:1.4'], unknown: true })
  digests!: Readonly<Record<string, string>>;

  @Created()
  creationTimestamp!: number;

  @Doc('The owner of the pod.')
  @Optional()
  @NestedList(() => PodOwnerReference)
  @ArrayMaxSize(OWNERS_MAX, { message: `Input should have at most ${OWNERS_MAX} items` })
  owners?: readonly PodOwnerReference[];
}

/** `PUT /environments/{org}/{env}/report/K8S`. */
@Closed()
export class K8sReport {
  @Items(() => K8sReportArtifact)
  artifacts!: readonly K8sReportArtifact[];
}

/** One task, with its containers. */
@Closed()
export class EcsReportArtifact {
  @Doc('ARN of the task.', 'arn:aws:ecs:eu-central-1:111122223333:task/shop/0123456789abcdef')
  @Text({ min: 1, max: ARN_MAX })
  taskArn!: string;

  @Doc('Name of the cluster.', 'shop')
  @Optional(Text(NAME))
  cluster_name?: string;

  @Doc('Name of the service that started the task.', 'web')
  @Optional(Text(NAME))
  service_name?: string;

  @Digests({ named: ['image name', 'shop/web:1.4'], unknown: true })
  digests!: Readonly<Record<string, string>>;

  @Created()
  creationTimestamp!: number;
}

/** `PUT /environments/{org}/{env}/report/ECS`. */
@Closed()
export class EcsReport {
  @Items(() => EcsReportArtifact)
  artifacts!: readonly EcsReportArtifact[];
}

/** One app: a web app or a function app. */
@Closed()
export class AzureAppsReportArtifact {
  @Doc('Name of the app.', 'shop-web')
  @Text({ min: 1, ...NAME })
  app_name!: string;

  @Doc('Kind of the app.', 'app,linux,container')
  @Text(NAME)
  app_kind!: string;

  @Doc('The source of the digests.', 'acr')
  @Text(NAME)
  digests_source!: string;

  @Digests({ named: ['image or app name', 'shop/web:1.4'], unknown: true })
  digests!: Readonly<Record<string, string>>;

  @Created()
  creationTimestamp!: number;
}

/** `PUT /environments/{org}/{env}/report/azure-apps`. */
@Closed()
export class AzureAppsReport {
  @Items(() => AzureAppsReportArtifact)
  artifacts!: readonly AzureAppsReportArtifact[];
}

/** One revision of a service, or one job. */
@Closed()
export class CloudRunReportArtifact {
  @Digests({ named: ['image name', 'shop/web:1.4'] })
  digests!: Readonly<Record<string, string>>;

  @Created()
  creationTimestamp!: number;

  @Doc('The kind of resource that runs the image.', 'service')
  @Word(['service', 'job'])
  kind!: 'service' | 'job';

  @Doc('Name of the service.', 'web')
  @Optional(Text(NAME))
  serviceName?: string;

  @Doc('Name of the revision of the service.', 'web-00042-abc')
  @Optional(Text(NAME))
  revisionName?: string;

  @Doc('Name of the job.', 'nightly-invoices')
  @Optional(Text(NAME))
  jobName?: string;
}

/** `PUT /environments/{org}/{env}/report/cloud-run`. */
@Closed()
export class CloudRunReport {
  @Doc('The type of the report, repeated.', 'cloud-run')
  @Optional(Word(['cloud-run']))
  type?: 'cloud-run';

  @Items(() => CloudRunReportArtifact)
  artifacts!: readonly CloudRunReportArtifact[];
}
