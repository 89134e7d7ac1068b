import { sendRequest, askJson, directNetwork } from './http';
import { acceptsName, type NameFilter } from './name-filter';
import { sortByText, type Report, type Source } from './report';

/** The fields of `GET /containers/json` that the reporter reads. */
export interface Container {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly Image: string;
  /** Epoch seconds. */
  readonly Created: number;
}

/** Reports running containers with an image that a registry has. */
function containersReport(
  containers: readonly Container[],
  repoDigests: ReadonlyMap<string, readonly string[]>,
): Report {
  const items = sortByText(containers, ({ Id }) => Id).flatMap(({ Image, Created }) => {
    const digest = registryDigest(Image, repoDigests.get(Image) ?? []);
    return digest === null ? [] : [{ digests: { [Image]: digest }, creationTimestamp: Created }];
  });
  return { artifacts: items };
}

/** The digest of an image in its own repository. If there is only one digest, it is used whatever its repository. */
function registryDigest(image: string, repoDigests: readonly string[]): string | null {
  const [first] = repoDigests;
  const repository =
    image
      .replace(/^library\//, '')
      .split(':')[0]
      ?.replace(/@sha256$/, '') ?? '';
  const isId = /^[0-9a-f]{64}$/.test(image);
  const digest =
    repoDigests.length === 1 || isId ? first : repoDigests.find((repoDigest) => repoDigest.startsWith(repository));
  return digest?.split('@sha256:')[1] ?? null;
}

/** The source of the running containers of a Docker daemon. */
export function dockerSource(socketPath: string, containers: NameFilter): Source {
  const network = directNetwork();
  const request = (path: string) =>
    ({ method: 'GET', url: new URL(path, 'http://docker'), network, socketPath }) as const;
  return {
    async collect() {
      const runningContainers = await askJson<Container[]>(request('/containers/json'));
      const acceptedContainers = runningContainers.filter(({ Names }) =>
        acceptsName(containers, (Names[0] ?? '').replace(/^\//, '')),
      );
      const digests = new Map<string, readonly string[]>();
      for (const image of new Set(acceptedContainers.map(({ Image }) => Image))) {
        const path = `/images/${encodeURI(image)}/json`;
        // If an image was removed while its container runs, its digest is no longer available.
        if ((await sendRequest(request(path))).status === 404) continue;
        const { RepoDigests } = await askJson<{ RepoDigests?: readonly string[] | null }>(request(path));
        digests.set(image, RepoDigests ?? []);
      }
      return containersReport(acceptedContainers, digests);
    },
  };
}
