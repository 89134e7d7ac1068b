import { component, flag, integer, list, map, nullable, object, type TypeOf, oneOf, text } from '../../http/shape';

const owner = object(
  { apiVersion: text(), kind: text(), name: text(), uid: text() },
  { controller: flag(), blockOwnerDeletion: flag() },
);

/** One pod that runs an artifact. */
const podAnswer = component('Pod', {
  namespace: text(),
  creationTimestamp: integer('Epoch seconds; 0 where it is unknown.'),
  owners: nullable(list(owner)),
});
export type PodAnswer = TypeOf<typeof podAnswer>;

/** The task that runs an artifact. */
const ecsContext = component('EcsContext', {
  task_arn: text(),
  cluster_name: nullable(text()),
  service_name: nullable(text()),
});

/** The app that runs an artifact. */
const azureContext = component('AzureContext', { app_name: text(), app_kind: text(), digests_source: text() });

/** The service or job that runs an artifact. */
const cloudRunContext = component('CloudRunContext', {
  kind: oneOf(['service', 'job']),
  service_name: nullable(text()),
  revision_name: nullable(text()),
  job_name: nullable(text()),
});

/** The places where the instances of an artifact run. Each kind of environment has its own field. */
export const contextFields = {
  pods: nullable(
    map(podAnswer, 'K8S: pods by name. If two namespaces have pods of one name, the newer one is `namespace/name`.'),
  ),
  ecs_context: nullable(ecsContext),
  azure_context: nullable(azureContext),
  cloud_run_context: nullable(cloudRunContext),
};

/** For kinds that report only digests and times. */
export const NO_CONTEXTS = Object.fromEntries(Object.keys(contextFields).map((field) => [field, null])) as Readonly<
  Record<keyof typeof contextFields, null>
>;
