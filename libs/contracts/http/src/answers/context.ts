import { flag, integer, list, named, nullable, object, oneOf, text, type Of } from '../shape';

const owner = object(
  { apiVersion: text(), kind: text(), name: text(), uid: text() },
  { controller: flag(), blockOwnerDeletion: flag() },
);

/** One pod that runs an artifact. */
export const podAnswer = named(
  'Pod',
  object({ namespace: text(), creationTimestamp: integer('Epoch seconds.'), owners: nullable(list(owner)) }),
);
export type PodAnswer = Of<typeof podAnswer>;

/** The task that runs an artifact. */
export const ecsContext = named(
  'EcsContext',
  object({ task_arn: text(), cluster_name: nullable(text()), service_name: nullable(text()) }),
);

/** The app that runs an artifact. */
export const azureContext = named(
  'AzureContext',
  object({ app_name: text(), app_kind: text(), digests_source: text() }),
);

/** The service or job that runs an artifact. */
export const cloudRunContext = named(
  'CloudRunContext',
  object({
    kind: oneOf(['service', 'job']),
    service_name: nullable(text()),
    revision_name: nullable(text()),
    job_name: nullable(text()),
  }),
);
