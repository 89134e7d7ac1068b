import { sendRequest, askJson, type HttpAnswer, messageOf, type Network } from './http';
import { acceptsName, type NameFilter } from './name-filter';
import { sortByText, type Report, type ReportItem, secondsOf, type Source } from './report';
import type { Token } from './tokens';

const API = '2023-12-01';

/** Fields of a `Microsoft.Web/sites` resource that the reporter reads. */
export interface Site {
  readonly name: string;
  readonly kind?: string;
  readonly properties: {
    readonly state?: string;
    readonly siteConfig?: { readonly linuxFxVersion?: string | null } | null;
  };
}

interface AppItem extends ReportItem {
  readonly app_name: string;
  readonly app_kind: string;
  readonly digests_source: 'acr' | 'logs';
}

export interface RunningApp {
  readonly site: Site;
  /** The image; the name of the app if it runs no container. */
  readonly image: string;
  /** Empty if it is not known. */
  readonly digest: string;
  readonly startedAt: number;
}

/** Reports the running apps, sorted by name. */
function appsReport(apps: readonly RunningApp[], source: 'acr' | 'logs'): Report<AppItem> {
  const items = apps.map(({ site, image, digest, startedAt }) => ({
    app_name: site.name,
    app_kind: site.kind ?? '',
    digests_source: source,
    digests: { [image]: digest },
    creationTimestamp: startedAt,
  }));
  return { artifacts: sortByText(items, ({ app_name }) => app_name) };
}

/**
 * The image of a container app: `DOCKER|registry.azurecr.io/shop/web:1`; null for an app that runs uploaded code.
 *
 * @throws for an app with several containers: the setting does not list their images, and a report without some of them would be incomplete
 */
function imageOf({ name, properties }: Site): string | null {
  const runs = properties.siteConfig?.linuxFxVersion ?? '';
  const several = /^(?:COMPOSE|KUBE|SITECONTAINERS)(?:\||$)/i.test(runs);
  if (several) throw new Error(`${name} runs several containers: exclude it under \`apps\`.`);
  return /^DOCKER\|([^|]+)$/i.exec(runs)?.[1] ?? null;
}

/** The last digest in the log of an app's containers, and when its site was ready after that. */
function readLog(log: string, app: string): { digest: string; startedAt: number } {
  const lines = log.split('\n').map((line) => line.trimEnd());
  const pulled = lines.findLast((line) => /Digest: sha256:[0-9a-f]{64}$/.test(line)) ?? '';
  const ready =
    lines.findLast((line) =>
      line.includes(`for site ${app} initialized successfully and is ready to serve requests.`),
    ) ?? '';
  const timeOf = (line: string) => secondsOf(/^\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(line)?.[0]);
  // If the site became ready before the newest image was pulled, it still runs the previous image.
  const startedAt = timeOf(ready) < timeOf(pulled) ? 0 : timeOf(ready);
  return { digest: pulled.slice(-64), startedAt };
}

export interface AzureApps {
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly digestsSource: 'acr' | 'logs';
  readonly apps: NameFilter;
  readonly endpoint: string;
  readonly network: Network;
  readonly token: Token;
}

/** The source of the running apps of a resource group. */
export function azureAppsSource(settings: AzureApps): Source {
  const { subscription, resourceGroup, digestsSource, apps, endpoint, network, token } = settings;
  const sites = `/subscriptions/${encodeURIComponent(subscription)}/resourceGroups/${encodeURIComponent(resourceGroup)}/providers/Microsoft.Web/sites`;
  const headers = async () => ({ authorization: `Bearer ${await token()}` });

  async function listSites(): Promise<Site[]> {
    const results: Site[] = [];
    for (let next: string | null | undefined = `${sites}?api-version=${API}`; typeof next === 'string';) {
      const url: URL = new URL(next, endpoint);
      // The token is sent only to the configured service, even if an answer names another address.
      if (url.origin !== new URL(endpoint).origin)
        throw new Error(`Azure names ${url.origin} as the place of the next page.`);
      const page: { value: Site[]; nextLink?: string | null } = await askJson({
        method: 'GET',
        url,
        headers: await headers(),
        network,
      });
      results.push(...page.value);
      next = page.nextLink;
    }
    return results;
  }

  async function logOf(app: string): Promise<string> {
    const url = new URL(`${sites}/${encodeURIComponent(app)}/containerlogs?api-version=${API}`, endpoint);
    const answer = await sendRequest({ method: 'POST', url, headers: await headers(), network });
    if (answer.status === 204) return '';
    return requireSuccess(answer, `the log of ${app}`).text;
  }

  return {
    async collect() {
      const runningSites = (await listSites()).filter(
        ({ name, properties }) => acceptsName(apps, name) && properties.state?.toLowerCase() === 'running',
      );
      const runningApps: RunningApp[] = [];
      for (const site of runningSites) {
        const image = imageOf(site);
        if (image === null) {
          // The app runs uploaded code, and Azure does not report its digest. If the app were left out, it would seem to have ended.
          runningApps.push({ site, image: site.name, digest: '', startedAt: 0 });
          continue;
        }
        const state =
          digestsSource === 'logs'
            ? readLog(await logOf(site.name), site.name)
            : { digest: await registryDigest(image, await token(), network), startedAt: 0 };
        runningApps.push({ site, image, ...state });
      }
      return appsReport(runningApps, digestsSource);
    },
  };
}

function requireSuccess(answer: HttpAnswer, what: string): HttpAnswer {
  if (answer.status !== 200) throw new Error(`Azure answers ${answer.status} for ${what}: ${messageOf(answer.text)}`);
  return answer;
}

/** The digest of a tag in Azure's registry. The registry exchanges the Azure token for its own token. */
async function registryDigest(image: string, token: string, network: Network): Promise<string> {
  const {
    host,
    path,
    tag = 'latest',
  } = /^(?<host>[a-z0-9-]+\.azurecr\.(?:io|cn|us))\/(?<path>[^:@]+)(?:[:@](?<tag>.+))?$/.exec(image)?.groups ?? {};
  if (host === undefined || path === undefined)
    throw new Error(`${image} is in no registry of Azure: use \`digestsSource: logs\`.`);
  const form = async (at: string, fields: Record<string, string>) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(fields).toString();
    const answer = await sendRequest({ method: 'POST', url: new URL(`https://${host}${at}`), headers, body, network });
    return JSON.parse(requireSuccess(answer, `a token of ${host}`).text) as {
      refresh_token?: string;
      access_token?: string;
    };
  };
  const exchangeAnswer = await form('/oauth2/exchange', {
    grant_type: 'access_token',
    service: host,
    access_token: token,
  });
  const { access_token = '' } = await form('/oauth2/token', {
    grant_type: 'refresh_token',
    service: host,
    scope: `repository:${path}:pull`,
    refresh_token: exchangeAnswer.refresh_token ?? '',
  });
  const headers = {
    accept: 'application/vnd.docker.distribution.manifest.v2+json',
    authorization: `Bearer ${access_token}`,
  };
  const answer = await sendRequest({
    method: 'HEAD',
    url: new URL(`https://${host}/v2/${path}/manifests/${tag}`),
    headers,
    network,
  });
  const digest = /^sha256:([0-9a-f]{64})$/.exec(
    String(requireSuccess(answer, image).headers['docker-content-digest']),
  )?.[1];
  if (digest === undefined) throw new Error(`${host} names no SHA-256 of ${image}.`);
  return digest;
}
