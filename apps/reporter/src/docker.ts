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

/** Running containers with an image that a registry knows. */
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

/** The digest under which the image's own repository knows it; the only one there is, whatever its repository. */
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

/** The running containers of a Docker daemon. */
export function dockerSource(socketPath: string, containers: NameFilter): Source {
  const network = directNetwork();
  const request = (path: string) =>
    ({ method: 'GET', url: new URL(path, 'http://docker'), network, socketPath }) as const;
  return {
    async collect() {
      const running = await askJson<Container[]>(request('/containers/json'));
      const chosen = running.filter(({ Names }) => acceptsName(containers, (Names[0] ?? '').replace(/^\//, '')));
      const digests = new Map<string, readonly string[]>();
      for (const image of new Set(chosen.map(({ Image }) => Image))) {
        const path = `/images/${encodeURI(image)}/json`;
        // An image that was removed below a running container has no digest any more.
        if ((await sendRequest(request(path))).status === 404) continue;
        const { RepoDigests } = await askJson<{ RepoDigests?: readonly string[] | null }>(request(path));
        digests.set(image, RepoDigests ?? []);
      }
      return containersReport(chosen, digests);
    },
  };
}
