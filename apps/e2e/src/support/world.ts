import { Caller } from './caller';
import { Contract } from './contract';
import { keyOf, ORG, type Role } from './declared';
import { type Deployment, deployments, together } from './deployments';
import type { Operator } from './operator';
import type { RunningService, Settings } from './running';

/** Those who call a running service. */
interface Callers {
  readonly url: string;
  readonly contract: Contract;
  /** The name of the organization of the file, for programs that call the service by themselves. */
  readonly org: string;
  /** The service account of this role in the organization of the file, which it calls `acme`. */
  as(role: Role): Caller;
  /** A caller with this Authorization header; null: without one. */
  withHeader(authorization: string | null): Caller;
}

/** A running service, those who call it, and who keeps it. */
export interface World extends Callers {
  readonly operator: Operator;
}

const START_MS = 180_000;

/**
 * Runs scenarios on every deployment; ends with a look at its log. On MongoDB and Kafka, files share services, where each has an organization
 * of its own that it calls `acme`. `other` and all users belong to all files.
 */
export function onEveryDeployment(scenarios: (world: () => World) => void): void {
  onEach(deployments, scenarios, (deployment) => deployment.share());
}

/** The same on services that nothing else uses, for scenarios that need settings, operators, users or `other` for themselves. */
export function onOwnServices(
  scenarios: (world: () => World) => void,
  settings?: Settings,
  all: readonly Pick<Deployment, 'name' | 'start'>[] = deployments,
): void {
  onEach(all, scenarios, (deployment) => deployment.start(settings));
}

function onEach<T extends Pick<Deployment, 'name'>>(
  all: readonly T[],
  scenarios: (world: () => World) => void,
  start: (deployment: T) => Promise<RunningService>,
): void {
  describe.each(all)('on the $name deployment', (deployment) => {
    let running: RunningService | undefined;
    let world: World | undefined;

    beforeAll(async () => {
      running = await start(deployment);
      world = { ...(await worldOf(running)), operator: running.operator };
    }, START_MS);

    afterAll(async () => {
      await running?.stop();
      expect(running?.faults).toEqual([]);
    }, START_MS);

    scenarios(() => {
      if (world === undefined) throw new Error('the service did not start');
      return world;
    });
  });
}

/** The same for what is about a process and not about the service, where all roles are in one. */
export function onOneProcess(scenarios: (world: () => World) => void): void {
  onEach(together, scenarios, (deployment) => deployment.start());
}

export async function worldOf({
  url,
  urls = [url],
  org = ORG,
}: Pick<RunningService, 'url' | 'urls' | 'org'>): Promise<Callers> {
  const contract = await Contract.of(url);
  let turn = 0;
  const next = () => urls[turn++ % urls.length] ?? url;
  const withHeader = (authorization: string | null) => new Caller(url, contract, authorization, next, org);
  return { url, contract, org, withHeader, as: (role) => withHeader(`Bearer ${keyOf(role, org)}`) };
}
