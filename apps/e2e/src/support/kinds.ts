import { NO_CONTEXTS } from '@assurance/contracts/environments/answers/context';
import type { Caller } from './caller';
import { digest, item } from './samples';

/** Details of an item of each kind besides digests and time, and their form in a snapshot. */
export interface Kind {
  readonly kind: string;
  readonly says: Readonly<Record<string, unknown>>;
  /** The same instance, described otherwise. */
  readonly saysOtherwise: Readonly<Record<string, unknown>>;
  readonly shows: Readonly<Record<string, unknown>>;
  /** Whether a digest may be unknown. */
  readonly unknown: boolean;
  /** Fields that an item must have beside digests and time. */
  readonly required: readonly string[];
}

const plain = (kind: string): Kind => ({
  kind,
  says: {},
  saysOtherwise: {},
  shows: NO_CONTEXTS,
  unknown: false,
  required: [],
});

export const OWNER = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'web-5d9c',
  uid: 'd9607e19-f88f-11e6-a518-42010a800195',
  controller: true,
  blockOwnerDeletion: false,
};
const ARN = 'arn:aws:ecs:eu-central-1:111122223333:task/shop/1';

/** When the instance was created. */
const AT = 1_700_000_000;

export const KINDS: readonly Kind[] = [
  plain('docker'),
  plain('server'),
  plain('S3'),
  plain('lambda'),
  {
    kind: 'K8S',
    says: { podName: 'web-0', namespace: 'shop', owners: [OWNER] },
    saysOtherwise: { podName: 'web-1', namespace: 'staging', owners: null },
    shows: { ...NO_CONTEXTS, pods: { 'web-0': { namespace: 'shop', creationTimestamp: AT, owners: [OWNER] } } },
    unknown: true,
    required: ['podName', 'namespace'],
  },
  {
    kind: 'ECS',
    says: { taskArn: ARN, cluster_name: 'shop', service_name: 'web' },
    saysOtherwise: { taskArn: `${ARN}2` },
    shows: { ...NO_CONTEXTS, ecs_context: { task_arn: ARN, cluster_name: 'shop', service_name: 'web' } },
    unknown: true,
    required: ['taskArn'],
  },
  {
    kind: 'azure-apps',
    says: { app_name: 'web', app_kind: 'app,linux', digests_source: 'acr' },
    saysOtherwise: { app_name: 'web-2', app_kind: '', digests_source: 'logs' },
    shows: { ...NO_CONTEXTS, azure_context: { app_name: 'web', app_kind: 'app,linux', digests_source: 'acr' } },
    unknown: true,
    required: ['app_name', 'app_kind', 'digests_source'],
  },
  {
    kind: 'cloud-run',
    says: { kind: 'service', serviceName: 'web', revisionName: 'web-1' },
    saysOtherwise: { kind: 'job', jobName: 'nightly' },
    shows: {
      ...NO_CONTEXTS,
      cloud_run_context: { kind: 'service', service_name: 'web', revision_name: 'web-1', job_name: null },
    },
    unknown: true,
    required: ['kind'],
  },
];

/** One item of a kind that runs one artifact. */
export const itemOf = ({ says }: Pick<Kind, 'says'>, name: string, created: number = AT) => ({
  ...item({ [name]: digest(name) }, created),
  ...says,
});

/** Reports what an environment of a kind runs, and returns the answer's text. */
export function reportAs(caller: Caller, kind: string, env: string, artifacts: unknown): Promise<string> {
  return caller.expect<string>(200, 'PUT', `/environments/acme/${env}/report/${kind}`, { json: { artifacts } });
}
