import { type Containers, digestsByName, type Report, type ReportItem, secondsOf, sortByText } from './report';

/** The fields of a pod that the reporter reads (Kubernetes API, `v1.Pod`). */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly creationTimestamp: string;
    readonly ownerReferences?: readonly Owner[];
  };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
  };
  readonly status: {
    readonly phase?: string;
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  };
}

interface Container {
  readonly name: string;
  readonly image: string;
  /** `Always` makes an init container a sidecar, which runs as long as its pod. */
  readonly restartPolicy?: string;
}

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

interface ContainerStatus {
  readonly name: string;
  readonly image: string;
  /** `docker-pullable://shop/web@sha256:…`, `shop/web@sha256:…` or `sha256:…`; empty until the image is pulled. */
  readonly imageID: string;
  readonly state?: { readonly running?: object; readonly terminated?: object };
}

interface PodItem extends ReportItem {
  readonly podName: string;
  readonly namespace: string;
  readonly owners: readonly Owner[] | null;
}

/** Reports the pods of which containers run, with their images, ordered by namespace and name. */
export function podsReport(pods: readonly Pod[], containers: Containers = 'running'): Report<PodItem> {
  const digestsOf = containers === 'running' ? runningDigests : publishedDigests;
  const reportedPods = pods
    .map((pod) => itemOf(pod, digestsOf(pod)))
    .filter(({ digests }) => Object.keys(digests).length > 0);
  return { artifacts: sortByText(reportedPods, ({ namespace, podName }) => `${namespace}/${podName}`) };
}

function itemOf({ metadata }: Pod, digests: readonly (readonly [string, string])[]): PodItem {
  const { name, namespace, creationTimestamp, ownerReferences } = metadata;
  return {
    podName: name,
    namespace,
    digests: digestsByName(digests),
    creationTimestamp: secondsOf(creationTimestamp),
    owners: ownerReferences?.map(ownerOf) ?? null,
  };
}

/** The containers that run, or that wait to run again. A digest is empty while the runtime names none. */
function runningDigests(pod: Pod): [string, string][] {
  const { phase, containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = pod.status;
  if (phase !== 'Running') return [];
  const sidecars = new Set(
    pod.spec.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const statuses = [
    ...[...containerStatuses, ...initContainerStatuses.filter(({ name }) => sidecars.has(name))].filter(
      ({ state }) => state?.terminated === undefined,
    ),
    ...ephemeralContainerStatuses.filter(({ state }) => state?.running !== undefined),
  ];
  return statuses.map((status) => [nameOf(pod, status), registryDigest(status.imageID) ?? '']);
}

/** What the published command line reports: containers of running and failed pods with the image that was pulled last. */
function publishedDigests(pod: Pod): [string, string][] {
  const { phase, containerStatuses = [] } = pod.status;
  if (phase !== 'Running' && phase !== 'Failed') return [];
  return containerStatuses.flatMap((status) => {
    const digest = digestOf(status.imageID);
    return digest === null ? [] : [[nameOf(pod, status), digest]];
  });
}

function ownerOf({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: Owner): Owner {
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller === undefined ? {} : { controller }),
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
  };
}

/** Removes the prefixes `docker-pullable://` and `docker://` of older runtimes. */
const withoutRuntime = (imageID: string) => imageID.replace(/^[^:]*:\/\//, '');

function digestOf(imageID: string): string | null {
  return /^(?:[^@]+@sha256:|sha256:)?([0-9a-f]{64})$/.exec(withoutRuntime(imageID))?.[1] ?? null;
}

/** The same without `docker://sha256:…`, which is the id of an image in its machine. */
const registryDigest = (imageID: string) => (imageID.startsWith('docker://sha256:') ? null : digestOf(imageID));

/**
 * The name of an image: the name that the runtime reports, unless that is a bare digest, as for an image that was pulled by digest. Then the tagged
 * name of the pod's specification, in the runtime's form; otherwise the repository with its digest.
 */
function nameOf(pod: Pod, { name, image, imageID }: ContainerStatus): string {
  if (isImageName(image)) return image;
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
  const specified =
    [...containers, ...initContainers, ...ephemeralContainers].find((container) => container.name === name)?.image ??
    '';
  const tagged = isImageName(specified) ? taggedName(specified) : null;
  if (tagged !== null) return tagged;
  const id = withoutRuntime(imageID);
  return (isImageName(id) ? id : image) || specified;
}

const isImageName = (image: string) => image !== '' && !/^(?:sha256:)?[0-9a-f]{64}$/.test(image);

/** `nginx:1.27@sha256:…` becomes `docker.io/library/nginx:1.27`; null without a tag. */
function taggedName(image: string): string | null {
  const [reference = ''] = image.split('@');
  const { repository, tag } = /^(?<repository>.+?)(?::(?<tag>[\w][\w.-]{0,127}))?$/.exec(reference)?.groups ?? {};
  if (repository === undefined || tag === undefined) return null;
  const [first = '', ...rest] = repository.split('/');
  if (rest.length === 0) return `docker.io/library/${repository}:${tag}`;
  const isHost = /[.:A-Z]/.test(first) || first === 'localhost';
  if (!isHost) return `docker.io/${repository}:${tag}`;
  const host = first === 'index.docker.io' ? 'docker.io' : first;
  const path = host === 'docker.io' && rest.length === 1 ? ['library', ...rest] : rest;
  return `${host}/${path.join('/')}:${tag}`;
}
