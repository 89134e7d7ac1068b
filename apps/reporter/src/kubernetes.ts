import { sortByText, type Report, type ReportItem, secondsOf } from './report';

/** The fields of a pod that the reporter reads (Kubernetes API, `v1.Pod`). */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly creationTimestamp: string;
    readonly ownerReferences?: readonly Owner[];
  };
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
  readonly status: { readonly phase?: string; readonly containerStatuses?: readonly ContainerStatus[] };
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
}

interface PodItem extends ReportItem {
  readonly podName: string;
  readonly namespace: string;
  readonly owners: readonly Owner[] | null;
}

/** Reports running and failed pods with the pulled images of their containers, ordered by namespace and name. */
export function podsReport(pods: readonly Pod[]): Report<PodItem> {
  const reportedPods = pods
    .filter(({ status }) => status.phase === 'Running' || status.phase === 'Failed')
    .map(itemOf)
    .filter(({ digests }) => Object.keys(digests).length > 0);
  return { artifacts: sortByText(reportedPods, ({ namespace, podName }) => `${namespace}/${podName}`) };
}

function itemOf(pod: Pod): PodItem {
  const { name, namespace, creationTimestamp, ownerReferences } = pod.metadata;
  const digests = (pod.status.containerStatuses ?? []).flatMap((status) => {
    const digest = digestOf(status.imageID);
    return digest === null ? [] : [[nameOf(pod, status), digest] as const];
  });
  return {
    podName: name,
    namespace,
    digests: Object.fromEntries(digests),
    creationTimestamp: secondsOf(creationTimestamp),
    owners: ownerReferences?.map(ownerOf) ?? null,
  };
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

/**
 * The name of an image: the name that the runtime reports, unless that is a bare digest, as for an image that was pulled by digest. Then the tagged
 * name of the pod's specification, in the runtime's form; otherwise the repository with its digest.
 */
function nameOf(pod: Pod, { name, image, imageID }: ContainerStatus): string {
  if (isImageName(image)) return image;
  const specified = pod.spec.containers.find((container) => container.name === name)?.image ?? '';
  const tagged = isImageName(specified) ? taggedName(specified) : null;
  if (tagged !== null) return tagged;
  const id = withoutRuntime(imageID);
  return isImageName(id) || image === '' ? id : image;
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
