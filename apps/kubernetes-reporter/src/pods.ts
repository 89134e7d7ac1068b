import type { Pod } from './report';
import { ask } from './request';

/** Pods of one page. */
const PAGE = 500;
/** How often the list is begun again when the server no longer knows where it was. */
const TRIES = 3;

/** Where the API server of the cluster is, and what proves the reporter there. */
export interface Cluster {
  readonly url: string;
  readonly token: string;
  /** Null: the system's certificates. */
  readonly ca: string | null;
}

interface PodList {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly Pod[];
}

/**
 * All pods that run in some namespaces.
 *
 * @param namespaces empty: all
 * @throws with one sentence when the list is not complete: a report without some pods would say that they ended
 */
export async function podsOf(cluster: Cluster, namespaces: readonly string[]): Promise<Pod[]> {
  const paths = namespaces.map((one) => `/api/v1/namespaces/${encodeURIComponent(one)}/pods`);
  const all: Pod[] = [];
  for (const path of paths.length === 0 ? ['/api/v1/pods'] : paths) all.push(...(await listed(cluster, path)));
  return all;
}

async function listed({ url, token, ca }: Cluster, path: string): Promise<Pod[]> {
  for (let tries = 1; ; tries += 1) {
    const pods: Pod[] = [];
    for (let place: string | undefined = ''; place !== undefined;) {
      const page = new URL(path, url);
      page.searchParams.set('limit', String(PAGE));
      page.searchParams.set('fieldSelector', 'status.phase=Running');
      if (place !== '') page.searchParams.set('continue', place);
      const { status, text } = await ask({ method: 'GET', url: page, token, ...(ca === null ? {} : { ca }) });
      // The place is too old: the server has forgotten that version of the list.
      if (status === 410 && tries < TRIES) break;
      if (status !== 200) throw new Error(`Kubernetes answers ${status} to ${path}: ${messageOf(text)}`);
      const { metadata, items } = JSON.parse(text) as PodList;
      pods.push(...items);
      if ((metadata.continue ?? '') === '') return pods;
      place = metadata.continue;
    }
  }
}

function messageOf(text: string): string {
  try {
    return String((JSON.parse(text) as { message?: unknown }).message);
  } catch {
    return text.slice(0, 200);
  }
}
