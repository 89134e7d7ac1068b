import { sendRequest, askJson, type HttpAnswer, type Network } from './http';
import { acceptsName, type NameFilter } from './name-filter';
import { sortByText, type Report, type ReportItem, secondsOf, type Source } from './report';
import type { Token } from './tokens';

interface Image {
  readonly image: string;
}

/** Fields of the Cloud Run Admin API v2 that the reporter reads. */
export interface Service {
  /** `projects/{project}/locations/{region}/services/{service}` */
  readonly name: string;
  readonly traffic?: readonly { readonly revision?: string }[];
  readonly latestReadyRevision?: string;
}
export interface Revision {
  readonly name: string;
  readonly createTime?: string;
  readonly containers?: readonly Image[];
}
export interface Job {
  readonly name: string;
  readonly createTime?: string;
  readonly template?: { readonly template?: { readonly containers?: readonly Image[] } };
}

interface RunItem extends ReportItem {
  readonly kind: 'service' | 'job';
  readonly serviceName?: string;
  readonly revisionName?: string;
  readonly jobName?: string;
}

const shortName = (name: string) => name.slice(name.lastIndexOf('/') + 1);

/** The revisions that receive the requests of a service. `LATEST` is the newest ready revision. */
export function revisionNames({ traffic = [], latestReadyRevision = '' }: Service): string[] {
  const names = traffic.map(({ revision = '' }) => (revision === '' ? shortName(latestReadyRevision) : revision));
  return [...new Set(names.filter((name) => name !== ''))];
}

/** @param digestOf returns the digest of an image that has none in its name; empty if it is unknown */
function cloudRunReport(
  services: readonly { readonly service: Service; readonly revisions: readonly Revision[] }[],
  jobs: readonly Job[],
  digestOf: (image: string) => string,
): Report<RunItem> {
  const digests = (images: readonly Image[] = []) =>
    Object.fromEntries(images.map(({ image }) => [image, pinnedDigest(image) ?? digestOf(image)]));
  const ofServices = services.flatMap(({ service, revisions }) =>
    revisions.map(({ name, containers, createTime }): RunItem => ({
      digests: digests(containers),
      creationTimestamp: secondsOf(createTime),
      kind: 'service',
      serviceName: shortName(service.name),
      revisionName: shortName(name),
    })),
  );
  const ofJobs = jobs.map(({ name, template, createTime }): RunItem => ({
    digests: digests(template?.template?.containers),
    creationTimestamp: secondsOf(createTime),
    kind: 'job',
    jobName: shortName(name),
  }));
  const textOf = ({ kind, serviceName, revisionName, jobName }: RunItem) =>
    [kind, serviceName ?? jobName, revisionName].join(' ');
  return { type: 'cloud-run', artifacts: sortByText([...ofServices, ...ofJobs], textOf) };
}

export interface CloudRun {
  readonly project: string;
  readonly region: string;
  readonly names: NameFilter;
  readonly endpoint: string;
  readonly network: Network;
  readonly token: Token;
}

interface Page {
  readonly nextPageToken?: string;
  /** Regions that are missing from the list. */
  readonly unreachable?: readonly string[];
}

/** Services and jobs of a project in one region. */
export function cloudRunSource({ project, region, names, endpoint, network, token }: CloudRun): Source {
  const request = async (path: string) =>
    ({
      method: 'GET',
      url: new URL(path, endpoint),
      network,
      headers: { authorization: `Bearer ${await token()}` },
    }) as const;

  async function listResources<T extends { name: string }>(of: 'services' | 'jobs'): Promise<T[]> {
    const results: T[] = [];
    for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
      const query = new URLSearchParams({ pageSize: '100', ...(pageToken === '' ? {} : { pageToken }) });
      const path = `/v2/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(region)}/${of}?${query}`;
      const page: Page & Partial<Record<typeof of, T[]>> = await askJson(await request(path));
      if ((page.unreachable ?? []).length > 0)
        throw new Error(`Cloud Run does not reach ${page.unreachable?.join(', ')}.`);
      results.push(...(page[of] ?? []));
      pageToken = page.nextPageToken === '' ? undefined : page.nextPageToken;
    }
    return results.filter(({ name }) => acceptsName(names, shortName(name)));
  }

  return {
    async collect() {
      const services: { service: Service; revisions: Revision[] }[] = [];
      for (const service of await listResources<Service>('services')) {
        const revisions: Revision[] = [];
        for (const name of revisionNames(service)) {
          revisions.push(await askJson<Revision>(await request(`/v2/${service.name}/revisions/${name}`)));
        }
        services.push({ service, revisions });
      }
      const jobs = await listResources<Job>('jobs');
      const images = [
        ...services.flatMap(({ revisions }) => revisions.flatMap(({ containers }) => containers ?? [])),
        ...jobs.flatMap(({ template }) => template?.template?.containers ?? []),
      ].map(({ image }) => image);
      const digests = new Map<string, string>();
      for (const image of new Set(images.filter((item) => pinnedDigest(item) === undefined))) {
        digests.set(image, await registryDigest(image, await token(), network));
      }
      return cloudRunReport(services, jobs, (image) => digests.get(image) ?? '');
    },
  };
}

const pinnedDigest = (image: string) => /@sha256:([0-9a-f]{64})$/.exec(image)?.[1];

const MANIFESTS = [
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
].join(', ');

/** The digest that a tag has in Google's registry now. It is unknown for other registries, which must not see the token. */
async function registryDigest(image: string, token: string, network: Network): Promise<string> {
  const {
    host = '',
    path = '',
    tag = 'latest',
  } = /^(?<host>[^/]+)\/(?<path>[^:]+)(?::(?<tag>.+))?$/.exec(image)?.groups ?? {};
  if (!/^(?:[a-z0-9-]+-)?docker\.pkg\.dev$|^(?:[a-z0-9-]+\.)?gcr\.io$/.test(host)) return '';
  const url = new URL(`https://${host}/v2/${path}/manifests/${tag}`);
  const headers = { accept: MANIFESTS, authorization: `Bearer ${token}` };
  return digestIn(await sendRequest({ method: 'HEAD', url, headers, network }), host, image);
}

/** @returns the digest in the answer of a registry; empty if it names none, as for a tag that was removed */
export function digestIn({ status, headers }: Pick<HttpAnswer, 'status' | 'headers'>, host: string, image: string) {
  if (status === 401 || status === 403)
    throw new Error(`${host} answers ${status} for ${image}: let the account of the reporter read that repository.`);
  if (status >= 500 || status === 429) throw new Error(`${host} answers ${status} for ${image}.`);
  return /^sha256:([0-9a-f]{64})$/.exec(String(headers['docker-content-digest'] ?? ''))?.[1] ?? '';
}
