import { loosen } from '@assurance/testing/loose/loosen';
import type { Step } from '@assurance/testing/loose/steps';
import { Installation } from './installation';
import type { DeploymentName, RunningService, Settings } from './running';
import { seededRandom } from './seeded';
import { servers } from './servers';
import { startReplicated } from './split';

/** Starts services in this process. */
export const START: Readonly<
  Record<DeploymentName, (settings?: Settings, now?: () => number) => Promise<RunningService>>
> = {
  embedded: (settings, now) => startIn(new Installation(settings, now)),
  scaled: (settings, now) => startIn(new Installation({ ...servers(), ...settings }, now)),
  replicated: (settings, now) => startReplicated(servers(), settings, now, true),
};

/** The embedded engine, loosened: see `startLoose` of the deployments. */
export async function startLoose(
  settings?: Settings,
  onStep?: (step: Step) => void | Promise<void>,
  now?: () => number,
): Promise<RunningService> {
  const installation = new Installation(settings, now);
  await installation.open((engines) => loosen(engines, { random: seededRandom(7), onStep }));
  return startIn(installation);
}

/** All roles in one process, on a data folder that goes with them. */
async function startIn(installation: Installation): Promise<RunningService> {
  const { url, operator } = await installation.start();
  return { url, operator, faults: installation.log, stop: () => installation.clear() };
}
