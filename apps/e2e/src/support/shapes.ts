import type { Step } from '@assurance/testing-suites';
import { inThisProcess } from './in-this-process';
import { keeperOfThisWorker, startKept } from './keeper/kept';
import type { Running, Settings, ShapeName } from './running';

export type { Running } from './running';

/** A way to run the service. */
export interface Shape {
  readonly name: ShapeName;
  /**
   * @param settings environment variables beside those that the shape sets itself
   * @param now what its clock shows
   */
  start(settings?: Settings, now?: () => number): Promise<Running>;
}

const ON_SERVERS = process.env['ASSURANCE_TEST_SHAPE'] === 'scaled';

/** How often a spec repeats what it does: less often where each time passes through several processes and servers. */
export const times = (many: number): number => (ON_SERVERS ? Math.ceil(many / 10) : many);

/** All roles in one process. On MongoDB and Kafka where Jest's project `scaled` runs, which starts them. */
export const together: readonly [Shape, ...Shape[]] = ON_SERVERS ? [shape('scaled')] : [shape('embedded')];

/** Each scenario runs on all of these. Pairs of services are asked through their gateways in turn. */
export const shapes: readonly Shape[] = ON_SERVERS ? [shape('pairs')] : together;

/**
 * The embedded engine, loosened, in this process.
 *
 * @param onStep called before and after every step of the storage; what it throws comes out of that step
 */
export function startLoose(
  settings?: Settings,
  onStep?: (step: Step) => void | Promise<void>,
  now?: () => number,
): Promise<Running> {
  return inThisProcess().startLoose(settings, onStep, now);
}

/** All roles in one process, at a time that the test chooses. */
export function startAtTime(now: () => number): Promise<Running> {
  const [{ start }] = together;
  return start({}, now);
}

/** The keeper of the worker runs it, which has loaded it already; a clock of the test's can be seen in the test's own process alone. */
function shape(name: ShapeName): Shape {
  return {
    name,
    start: (settings, now) => {
      const keeper = now === undefined ? keeperOfThisWorker() : null;
      return keeper === null ? inThisProcess().START[name](settings, now) : startKept(keeper, name, settings);
    },
  };
}
