import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendRequest, directNetwork, messageOf, type Network, open } from './http';
import { type Pod, podsReport } from './kubernetes';
import { acceptsName, EVERYTHING, type NameFilter, namesOf } from './name-filter';
import type { Containers, Source } from './report';

/** The folder in which Kubernetes puts a pod's credentials for the API server. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Items of one page. */
const PAGE = 500;
/** How often the list is read from the beginning if the server has forgotten its position. */
const TRIES = 3;
/** Seconds after which the server ends a watch. `WATCH_PAUSE_MS` is the pause before a broken watch begins again. */
const WATCH_SECONDS = 300;
const WATCH_PAUSE_MS = 5_000;
const LIVING = 'status.phase!=Pending,status.phase!=Succeeded,status.phase!=Unknown';

type Env = Readonly<Record<string, string | undefined>>;

/** The API server of the cluster in which the reporter runs. */
interface Cluster {
  readonly url: string;
  /** Read at every request, because the token is renewed every hour. */
  token(): string;
  readonly network: Network;
}

interface List<T> {
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly items: readonly T[];
}

/** @throws with one sentence if the process does not run in a pod */
export function clusterOf(env: Env): Cluster {
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  if (host === '') throw new Error('KUBERNETES_SERVICE_HOST is not set: kind K8S runs in a pod of the cluster.');
  const account = env['REPORTER_SERVICE_ACCOUNT'] ?? ACCOUNT;
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT'] ?? '443'}`,
    token: () => readFileSync(join(account, 'token'), 'utf8').trim(),
    network: directNetwork(readFileSync(join(account, 'ca.crt'), 'utf8')),
  };
}

/** The source of the pods in a cluster's namespaces. A watch says when to look; the list says what runs. */
export function kubernetesSource(cluster: Cluster, namespaces: NameFilter, containers: Containers): Source {
  let version = '';
  return {
    async collect() {
      const places = await pathsOf(cluster, namespaces);
      const pods: Pod[] = [];
      for (const path of places) {
        const { items, resourceVersion } = await listItems<Pod>(cluster, path, LIVING);
        version = resourceVersion;
        pods.push(...items);
      }
      return podsReport(pods, containers);
    },
    async watch(changed, signal) {
      const names = namesOf(namespaces);
      const paths = names === null ? ['/api/v1/pods'] : names.map(podsPath);
      await Promise.all(paths.map(async (path) => watchChanges(cluster, path, changed, () => version, signal)));
    },
  };
}

const podsPath = (namespace: string) => `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`;

async function pathsOf(cluster: Cluster, filter: NameFilter): Promise<readonly string[]> {
  if (filter === EVERYTHING) return ['/api/v1/pods'];
  const names = namesOf(filter);
  if (names !== null) return names.map(podsPath);
  const { items } = await listItems<{ metadata: { name: string } }>(cluster, '/api/v1/namespaces');
  return items
    .map(({ metadata }) => metadata.name)
    .filter((name) => acceptsName(filter, name))
    .map(podsPath);
}

async function listItems<T>(cluster: Cluster, path: string, fieldSelector?: string) {
  for (let tries = 1; ; tries += 1) {
    const items: T[] = [];
    for (let place: string | undefined = ''; place !== undefined;) {
      const url = new URL(path, cluster.url);
      url.searchParams.set('limit', String(PAGE));
      if (fieldSelector !== undefined) url.searchParams.set('fieldSelector', fieldSelector);
      if (place !== '') url.searchParams.set('continue', place);
      const { status, text } = await sendRequest({
        method: 'GET',
        url,
        headers: bearer(cluster),
        network: cluster.network,
      });
      // The position is too old: the server has forgotten that version of the list.
      if (status === 410 && tries < TRIES) break;
      if (status !== 200) throw new Error(`Kubernetes answers ${status} to ${path}: ${messageOf(text)}`);
      const { metadata, items: page } = JSON.parse(text) as List<T>;
      items.push(...page);
      if ((metadata.continue ?? '') === '') return { items, resourceVersion: metadata.resourceVersion ?? '' };
      place = metadata.continue;
    }
  }
}

const bearer = (cluster: Cluster) => ({ authorization: `Bearer ${cluster.token()}` });

/** Watches for changes. If a watch breaks or is refused, the next poll still finds the changes. */
async function watchChanges(
  cluster: Cluster,
  path: string,
  onChange: () => void,
  version: () => string,
  signal: AbortSignal,
) {
  while (!signal.aborted) {
    const url = new URL(path, cluster.url);
    url.searchParams.set('watch', '1');
    url.searchParams.set('timeoutSeconds', String(WATCH_SECONDS));
    if (version() !== '') url.searchParams.set('resourceVersion', version());
    const timeoutMs = (WATCH_SECONDS + 30) * 1_000;
    try {
      const request = { method: 'GET' as const, url, headers: bearer(cluster), network: cluster.network, timeoutMs };
      const response = await open(request, signal);
      if (response.statusCode !== 200) response.resume();
      else for await (const line of createInterface({ input: response })) if (line !== '') onChange();
    } catch {
      // The watch begins again below; polls go on meanwhile.
    }
    await sleep(WATCH_PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}
