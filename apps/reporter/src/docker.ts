import { sendRequest, askJson, directNetwork } from './http';
import { acceptsName, type NameFilter } from './name-filter';
import { type ReportItem, sortByText, type Source } from './report';

/** The fields of `GET /containers/json` that the reporter reads. */
export interface Container {
  readonly Id: string;
  readonly Names: readonly string[];
  readonly Image: string;
  /** Epoch seconds. */
  readonly Created: number;
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

/**
 * The source of the running containers of a Docker daemon whose image a registry has.
 *
 * @param note is told once of each other container, which is left out
 */
export function dockerSource(socketPath: string, containers: NameFilter, note: (sentence: string) => void): Source {
  const network = directNetwork();
  const request = (path: string) =>
    ({ method: 'GET', url: new URL(path, 'http://docker'), network, socketPath }) as const;
  let leftOut = new Set<string>();

  /** The digests of an image by its repositories; null if it was removed while its container runs. */
  async function repoDigests(image: string): Promise<readonly string[] | null> {
    const path = `/images/${encodeURI(image)}/json`;
    if ((await sendRequest(request(path))).status === 404) return null;
    const { RepoDigests } = await askJson<{ RepoDigests?: readonly string[] | null }>(request(path));
    return RepoDigests ?? [];
  }

  return {
    async collect() {
      const runningContainers = await askJson<Container[]>(request('/containers/json'));
      const acceptedContainers = runningContainers.filter((container) => acceptsName(containers, nameOf(container)));
      const digests = new Map<string, readonly string[] | null>();
      for (const image of new Set(acceptedContainers.map(({ Image }) => Image))) {
        digests.set(image, await repoDigests(image));
      }
      const items: ReportItem[] = [];
      const notReported = new Set<string>();
      for (const container of sortByText(acceptedContainers, ({ Id }) => Id)) {
        const { Id, Image, Created } = container;
        const ofImage = digests.get(Image) ?? null;
        const digest = registryDigest(Image, ofImage ?? []);
        if (digest !== null) {
          items.push({ digests: { [Image]: digest }, creationTimestamp: Created });
          continue;
        }
        notReported.add(Id);
        if (leftOut.has(Id)) continue;
        const why = ofImage === null ? 'was removed' : 'comes from no registry';
        note(
          `The container ${nameOf(container)} is not reported: its image ${Image} ${why}, so its digest is unknown.`,
        );
      }
      leftOut = notReported;
      return { artifacts: items };
    },
  };
}

const nameOf = ({ Names }: Container) => (Names[0] ?? '').replace(/^\//, '');
