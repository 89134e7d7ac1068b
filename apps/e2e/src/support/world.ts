import { Caller } from './caller';
import { Contract } from './contract';
import { keyOf, type Role } from './declared';
import type { Operator } from './operator';
import { type Running, deployments, together } from './deployments';

/** Those who call a running service. */
interface Callers {
  readonly url: string;
  readonly contract: Contract;
  /** The service account of this role in `acme`. */
  as(role: Role): Caller;
  /** A caller with this Authorization header; null: without one. */
  withHeader(authorization: string | null): Caller;
}

/** A running service, those who call it, and who keeps it. */
export interface World extends Callers {
  readonly operator: Operator;
}

const START_MS = 90_000;

/** Runs scenarios on every deployment, each on a service of its own that nothing else uses; ends with a look at its log. */
export function onEveryDeployment(
  scenarios: (world: () => World) => void,
  settings: Readonly<Record<string, string>> = {},
  all = deployments,
): void {
  describe.each(all)('on the $name deployment', (deployment) => {
    let running: Running | undefined;
    let world: World | undefined;

    beforeAll(async () => {
      running = await deployment.start(settings);
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
  onEveryDeployment(scenarios, {}, together);
}

export async function worldOf({ url, urls = [url] }: Pick<Running, 'url' | 'urls'>): Promise<Callers> {
  const contract = await Contract.of(url);
  let turn = 0;
  const next = () => urls[turn++ % urls.length] ?? url;
  const withHeader = (authorization: string | null) => new Caller(url, contract, authorization, next);
  return { url, contract, withHeader, as: (role) => withHeader(`Bearer ${keyOf(role)}`) };
}
