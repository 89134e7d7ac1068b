import { NO_CONTEXTS, type PodAnswer } from '@assurance/contracts/environments/answers/context';
import type { SnapshotArtifact } from '@assurance/contracts/environments/answers/snapshot';
import type { InstanceContext, RunningArtifact } from '@assurance/contracts/environments/events';

/** The details of an artifact's instances in a snapshot's answer. */
export type ShownContexts = Pick<SnapshotArtifact, keyof typeof NO_CONTEXTS>;

/**
 * Details of an artifact that depend on the kind of environment: all its pods by name; of tasks, apps and services
 * the first instance's.
 *
 * @param created of each instance, in epoch seconds
 */
export function contextsAnswer(contexts: RunningArtifact['contexts'], created: readonly number[]): ShownContexts {
  const [first] = contexts ?? [];
  if (contexts === undefined || first === undefined) return NO_CONTEXTS;
  switch (first.of) {
    case 'pod':
      return { ...NO_CONTEXTS, pods: podsOf(contexts, created) };
    case 'task':
      return {
        ...NO_CONTEXTS,
        ecs_context: { task_arn: first.arn, cluster_name: first.cluster, service_name: first.service },
      };
    case 'azure-app':
      return {
        ...NO_CONTEXTS,
        azure_context: { app_name: first.app, app_kind: first.kind, digests_source: first.digestsSource },
      };
    case 'cloud-run':
      return {
        ...NO_CONTEXTS,
        cloud_run_context: {
          kind: first.kind,
          service_name: first.service,
          revision_name: first.revision,
          job_name: first.job,
        },
      };
    default:
      // During a rolling update a newer process may have recorded another kind.
      void (first satisfies never);
      return NO_CONTEXTS;
  }
}

/** Pods by name; where another namespace has one of the same name, the younger one is `namespace/name`. */
function podsOf(contexts: readonly InstanceContext[], created: readonly number[]): Readonly<Record<string, PodAnswer>> {
  const pods = new Map<string, PodAnswer>();
  for (const [index, context] of contexts.entries()) {
    if (context.of !== 'pod') continue;
    const { pod, namespace, owners } = context;
    const answer = { namespace, creationTimestamp: created[index] ?? 0, owners };
    pods.set(pods.has(pod) && pods.get(pod)?.namespace !== namespace ? `${namespace}/${pod}` : pod, answer);
  }
  return Object.fromEntries(pods);
}
