import type { Step } from '@assurance/testing/loose/steps';
import { fixtureServerOfThisWorker, startOnFixtureServer } from './fixture-server/client';
import { inThisProcess } from './in-this-process';
import type { DeploymentName, RunningService, Settings } from './running';
import type { TestClock } from './test-clock';

export type { RunningService } from './running';

/** A way to run the service. */
export interface Deployment {
  readonly name: DeploymentName;
  /**
   * @param settings environment variables beside those that the deployment sets itself
   * @param now what its clock shows
   */
  start(settings?: Settings, now?: () => number): Promise<RunningService>;
  /** Services for a spec file that needs none of its own. On MongoDB and Kafka, where a start costs seconds, files share them. */
  share(): Promise<RunningService>;
}

const ON_SERVERS = process.env['ASSURANCE_TEST_DEPLOYMENT'] === 'scaled';

/** The settings of services that files share. Notifications may go to receivers of the specs. */
const SHARED: Settings = { ASSURANCE_TARGET_NETWORKS: '127.0.0.0/8' };

/** How often a spec repeats what it does: less often where each time passes through several processes and servers. */
export const times = (many: number): number => (ON_SERVERS ? Math.ceil(many / 10) : many);

/** All roles in one process. On MongoDB and Kafka where Jest's project `scaled` runs, which starts them. */
export const together: readonly [Deployment, ...Deployment[]] = ON_SERVERS
  ? [deployment('scaled')]
  : [deployment('embedded')];

/** Each scenario runs on all of these. Replicated services are called through their gateways in turn. */
export const deployments: readonly Deployment[] = ON_SERVERS ? [deployment('replicated')] : together;

/**
 * The embedded engine, loosened, in this process.
 *
 * @param onStep called before and after every step of the storage; what it throws comes out of that step
 */
export function startLoose(
  settings?: Settings,
  onStep?: (step: Step) => void | Promise<void>,
  now?: () => number,
): Promise<RunningService> {
  return inThisProcess().startLoose(settings, onStep, now);
}

/** All roles in one process, whose clock shows what the test sets. */
export function startAtTime(clock: TestClock, settings: Settings = {}): Promise<RunningService> {
  const [{ name }] = together;
  const server = fixtureServerOfThisWorker();
  return server === null
    ? inThisProcess().START[name](settings, () => clock.now)
    : startOnFixtureServer(server, name, { settings, clock });
}

/** The fixture server of the worker runs it, which has loaded it already; a clock that runs as the test says can be seen in the test's own process alone. */
function deployment(name: DeploymentName): Deployment {
  const start: Deployment['start'] = (settings, now) => {
    const server = now === undefined ? fixtureServerOfThisWorker() : null;
    return server === null
      ? inThisProcess().START[name](settings, now)
      : startOnFixtureServer(server, name, { settings });
  };
  const share = () => {
    const server = fixtureServerOfThisWorker();
    return server === null || !ON_SERVERS
      ? start(SHARED)
      : startOnFixtureServer(server, name, { settings: SHARED, share: true });
  };
  return { name, start, share };
}
