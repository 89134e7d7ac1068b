import type { EnvironmentType, InstanceContext, PodOwner } from '@assurance/contracts/environments/events';
import { baseName } from '@assurance/environments/domain/artifact-line';

/**
 * What an instance belongs to, as one text: `pod/<namespace>/<kind of owner>/<owner>`, `task/<cluster>/<service>`, `service/<service>`,
 * `job/<job>`, `app/<app>` or `function/<function>`. A pod without an owner has a namespace and no workload: `pod/<namespace>//`.
 */
export type Workload = string;

/** The alphabet of hashes in the names of ReplicaSets. */
const REPLICA_SET_HASH = /-[bcdfghjklmnpqrstvwxz2456789]{5,10}$/;
/** A CronJob appends the minute of the run, earlier versions its second. */
const CRON_JOB_RUN = /-\d{8,11}$/;

/** The most workloads of one artifact that are told apart. */
export const WORKLOADS_MAX = 100;

/** The workloads that the instances of an artifact name, sorted; none where reports of this kind name none, or where there are too many. */
export function workloadsOf(
  type: EnvironmentType,
  name: string,
  contexts: readonly InstanceContext[] = [],
): readonly Workload[] {
  if (type === 'lambda') return [`function/${baseName(name)}`];
  const [first] = contexts;
  if (first === undefined) return [];
  const workloads = contexts.flatMap((context) => workloadOf(context) ?? []);
  if (workloads.length < 2) return workloads;
  const all = [...new Set(workloads)];
  return all.length > WORKLOADS_MAX ? [] : all.sort();
}

function workloadOf(context: InstanceContext): Workload | null {
  switch (context.of) {
    case 'pod':
      return `pod/${context.namespace}/${ownerOf(context.owners)}`;
    case 'task':
      return context.service === null ? null : `task/${context.cluster ?? ''}/${context.service}`;
    case 'azure-app':
      return `app/${context.app}`;
    case 'cloud-run':
      if (context.job !== null) return `job/${context.job}`;
      return context.service === null ? null : `service/${context.service}`;
  }
}

/** Kind and name of the owner, without what differs from run to run. */
function ownerOf(owners: readonly PodOwner[] | null): string {
  const owner = owners?.find(({ controller }) => controller === true) ?? owners?.[0];
  if (owner === undefined) return '/';
  const { kind, name } = owner;
  const suffix = kind === 'ReplicaSet' ? REPLICA_SET_HASH : kind === 'Job' ? CRON_JOB_RUN : null;
  return `${kind}/${suffix === null ? name : name.replace(suffix, '')}`;
}

/** The namespace that a workload names; null for all but pods. */
export function namespaceOf(workload: Workload): string | null {
  return workload.startsWith('pod/') ? workload.slice(4, workload.indexOf('/', 4)) : null;
}

/** Whether it says more than a namespace. */
export function isKnownWorkload(workload: Workload): boolean {
  return !workload.endsWith('//');
}

/** Whether it runs to its end and starts anew, so that its absence says nothing. */
export function isJob(workload: Workload): boolean {
  return workload.startsWith('job/') || /^pod\/[^/]*\/Job\//.test(workload);
}
