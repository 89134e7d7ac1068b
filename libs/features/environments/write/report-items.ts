import type {
  AzureAppsReportArtifact,
  CloudRunReportArtifact,
  EcsReportArtifact,
  K8sReportArtifact,
  PodOwnerReference,
} from '@assurance/contracts/environments/bodies/report-contexts';
import type { PodOwner } from '@assurance/contracts/environments/events';
import type { ReportItem } from '../domain/difference';

/** Items of the kinds that say more of an instance than digest and time. An empty text is not given. */
export function podItem({ digests, creationTimestamp, podName, namespace, owners }: K8sReportArtifact): ReportItem {
  return {
    digests,
    creationTimestamp,
    context: { of: 'pod', pod: podName, namespace, owners: owners?.map(ownerOf) ?? null },
  };
}

function ownerOf({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: PodOwnerReference): PodOwner {
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller === undefined ? {} : { controller }),
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
  };
}

export function taskItem(item: EcsReportArtifact): ReportItem {
  const { digests, creationTimestamp, taskArn, cluster_name, service_name } = item;
  return {
    digests,
    creationTimestamp,
    context: { of: 'task', arn: taskArn, cluster: cluster_name || null, service: service_name || null },
  };
}

export function appItem(item: AzureAppsReportArtifact): ReportItem {
  const { digests, creationTimestamp, app_name, app_kind, digests_source } = item;
  return {
    digests,
    creationTimestamp,
    context: { of: 'azure-app', app: app_name, kind: app_kind, digestsSource: digests_source },
  };
}

export function cloudRunItem(item: CloudRunReportArtifact): ReportItem {
  const { digests, creationTimestamp, kind, serviceName, revisionName, jobName } = item;
  return {
    digests,
    creationTimestamp,
    context: {
      of: 'cloud-run',
      kind,
      service: serviceName || null,
      revision: revisionName || null,
      job: jobName || null,
    },
  };
}
