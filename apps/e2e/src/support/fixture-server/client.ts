import { type AdminAddress, Operator } from '../operator';
import type { DeploymentName, RunningService, Settings } from '../running';
import type { TestClock } from '../test-clock';

/** The variable that names the fixture servers, one a worker, as the setup of Jest's projects `node` and `scaled` started them. */
export const FIXTURE_SERVERS = 'ASSURANCE_TEST_FIXTURE_SERVERS';

/** A request to a fixture server. */
export interface StartRequest {
  readonly deployment: DeploymentName;
  readonly settings: Settings;
  /** The time of their clock until it is set (integer milliseconds since 1970); absent: the time of the machine. */
  readonly at?: number;
  /** Whether they may be services that other spec files used and will use. All such requests have the same settings. */
  readonly share?: boolean;
}

/** Sets the clock of services that were started with one. */
export interface SetRequest {
  readonly id: number;
  readonly at: number;
}

/** The services that it started. */
export interface StartedServices {
  readonly id: number;
  readonly url: string;
  readonly urls?: readonly string[];
  readonly addresses: readonly AdminAddress[];
  readonly org?: string;
}

/** The address of the fixture server of this Jest worker; null if none was started. */
export function fixtureServerOfThisWorker(): string | null {
  const servers = (process.env[FIXTURE_SERVERS] ?? '').split(',').filter((url) => url !== '');
  const worker = Number(process.env['JEST_WORKER_ID'] ?? 1) - 1;
  return servers[worker % servers.length] ?? null;
}

/**
 * Has a fixture server start services; they end with `stop`, or with the fixture server.
 *
 * @param how `clock`: what their clock shows; `share`: see `StartRequest`
 */
export async function startOnFixtureServer(
  server: string,
  deployment: DeploymentName,
  {
    settings = {},
    clock,
    share,
  }: { readonly settings?: Settings; readonly clock?: TestClock; readonly share?: boolean },
): Promise<RunningService> {
  const { id, url, urls, addresses, org } = await request<StartedServices>(`${server}/start`, {
    deployment,
    settings,
    at: clock?.now,
    share,
  } satisfies StartRequest);
  clock?.leads((at) => request(`${server}/set`, { id, at } satisfies SetRequest));
  const faults: string[] = [];
  return {
    url,
    urls,
    org,
    operator: new Operator(...addresses),
    faults,
    stop: async () => void faults.push(...(await request<readonly string[]>(`${server}/stop`, { id }))),
  };
}

async function request<T>(url: string, question: object): Promise<T> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(question) });
  if (response.status !== 200) throw new Error(`the fixture server said: ${await response.text()}`);
  return (await response.json()) as T;
}
