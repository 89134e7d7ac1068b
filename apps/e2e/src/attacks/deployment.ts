import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BOOTSTRAP, keyOf, OTHER_KEY } from '../support/declared';
import { Place, type Process } from '../support/process';
import { servers } from '../support/servers';
import { type App, startServices } from '../support/services';
import { worldOf } from '../support/world';
import type { Target } from './attack';
import { ObservedProcess } from './watched';

/** As much as a small machine has. */
const HEAP = '--max-old-space-size=1024';

/** A service that runs in processes of its own, as users run it. */
export interface Deployment {
  readonly target: Target;
  readonly processes: readonly ObservedProcess[];
  stop(): Promise<void>;
}

/** Starts all roles in one process on the embedded engine, or each in its own on MongoDB and Kafka. */
export async function deploy(name: Target['deployment']): Promise<Deployment> {
  const place = new Place();
  const started: { readonly app: App; readonly process: Process }[] = [];
  const common = {
    ...startVariables(),
    ASSURANCE_BOOTSTRAP_FILE: place.write('bootstrap.yaml', BOOTSTRAP),
    ASSURANCE_LOG_LEVEL: 'error',
    ...(name === 'scaled' ? { ...servers(), ASSURANCE_PUBLIC_URL: 'http://localhost:1' } : {}),
  };
  const start = (app: App, settings: Readonly<Record<string, string>> = {}) => {
    const process = place.start({ ...common, ...settings }, [], app);
    started.push({ app, process });
    return process.url();
  };
  // Kills them: the rest of the attacks' work would take half a minute, and does not matter for the measurement.
  const stop = () => place.clear();
  const starting = async () =>
    name === 'embedded' ? start('standalone') : start('gateway', await startServices(start));
  // If one does not start, those that started are ended too.
  const url = await starting().catch(async (fault: unknown) => {
    await stop();
    throw fault;
  });
  const world = await worldOf({ url });
  const target: Target = {
    deployment: name,
    url,
    as: (role) => world.withHeader(`Bearer ${keyOf(role)}`),
    bystander: world.withHeader(`Bearer ${OTHER_KEY}`),
  };
  return {
    target,
    processes: started.map(({ app, process }) => new ObservedProcess(app, process)),
    stop,
  };
}

/** The variables and the options of node in `npm start`: they decide how much memory a process keeps. */
function startVariables(): Readonly<Record<string, string>> {
  const { scripts } = JSON.parse(readFileSync(join(__dirname, '../../../../package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  const words = scripts.start.split(' ');
  const variables = words.slice(0, words.indexOf('exec')).map((word) => word.split('=') as [string, string]);
  const options = words.filter((word) => word.startsWith('--'));
  return { ...Object.fromEntries(variables), NODE_OPTIONS: [...options, HEAP].join(' ') };
}
