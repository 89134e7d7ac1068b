import { component, flag, integer, list, nullable, object, type Of, oneOf, text } from '../../http/shape';

const owner = object(
  { apiVersion: text(), kind: text(), name: text(), uid: text() },
  { controller: flag(), blockOwnerDeletion: flag() },
);

/** One pod that runs an artifact. */
export const podAnswer = component('Pod', {
  namespace: text(),
  creationTimestamp: integer('Epoch seconds; 0 where it is unknown.'),
  owners: nullable(list(owner)),
});
export type PodAnswer = Of<typeof podAnswer>;

/** The task that runs an artifact. */
export const ecsContext = component('EcsContext', {
  task_arn: text(),
  cluster_name: nullable(text()),
  service_name: nullable(text()),
});

/** The app that runs an artifact. */
export const azureContext = component('AzureContext', { app_name: text(), app_kind: text(), digests_source: text() });

/** The service or job that runs an artifact. */
export const cloudRunContext = component('CloudRunContext', {
  kind: oneOf(['service', 'job']),
  service_name: nullable(text()),
  revision_name: nullable(text()),
  job_name: nullable(text()),
});
