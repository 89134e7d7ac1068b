/** The fields of a pod that the reporter reads (Kubernetes API, `v1.Pod`). */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly creationTimestamp: string;
    readonly ownerReferences?: readonly Owner[];
  };
  readonly spec: { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[] };
  readonly status: {
    readonly startTime?: string;
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

interface Container {
  readonly name: string;
  readonly image: string;
}

interface ContainerStatus {
  readonly name: string;
  /** `docker-pullable://shop/web@sha256:…`, `shop/web@sha256:…`, or the id of an image that no registry knows: `sha256:…`. */
  readonly imageID: string;
  readonly state?: { readonly running?: object };
}

/** One pod of a report. */
interface ReportedPod {
  readonly podName: string;
  readonly namespace: string;
  /** Names of images with their SHA-256; empty where the registry's digest is not known. */
  readonly digests: Readonly<Record<string, string>>;
  /** Epoch seconds. */
  readonly creationTimestamp: number;
  readonly owners: readonly Owner[];
}

/** The body of `PUT /environments/{org}/{env}/report/K8S`. */
export interface Report {
  readonly artifacts: readonly ReportedPod[];
}

/** Pods with a running container and the images of their running containers, ordered by namespace and name. */
export function reportOf(pods: readonly Pod[]): Report {
  const artifacts = pods.map(reported).filter(({ digests }) => Object.keys(digests).length > 0);
  const place = ({ namespace, podName }: ReportedPod) => `${namespace}/${podName}`;
  return { artifacts: artifacts.sort((one, other) => (place(one) < place(other) ? -1 : 1)) };
}

function reported({ metadata, spec, status }: Pod): ReportedPod {
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  const statuses = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
  const images = new Map(containers.map(({ name, image }) => [name, image]));
  const running = statuses.filter(({ state }) => state?.running !== undefined);
  return {
    podName: metadata.name,
    namespace: metadata.namespace,
    digests: Object.fromEntries(running.map(({ name, imageID }) => [images.get(name) ?? name, digestOf(imageID)])),
    creationTimestamp: Math.floor(Date.parse(status.startTime ?? metadata.creationTimestamp) / 1_000),
    owners: (metadata.ownerReferences ?? []).map(ownerOf),
  };
}

/** The digest by which a registry knows the image. The id of a local image is another digest, which no pipeline reports. */
function digestOf(imageID: string): string {
  return /@sha256:([0-9a-f]{64})$/.exec(imageID)?.[1] ?? '';
}

function ownerOf({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: Owner): Owner {
  return {
    ...{ apiVersion, kind, name, uid },
    ...(controller === undefined ? {} : { controller }),
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
  };
}
