import type { EngineName } from '@assurance/testing/engines/local-server';
import { complete } from '../support/acknowledged';
import { eventually } from '../support/eventually';
import { Clients } from './clients';
import { Installation } from './installation';

/** `ASSURANCE_TEST_DRILLS=full` runs the long form. */
const FULL = process.env['ASSURANCE_TEST_DRILLS'] === 'full';
/** A report costs 0.2 s of CPU time, so clients of the short form pause between two (milliseconds). */
const PAUSE_MS = FULL ? 0 : 2_000;
/** How many reports are acknowledged before and after each failure. */
export const REPORTS = FULL ? 20 : 10;
/** How long a server is away. */
export const SECONDS = FULL ? 30 : 5;
/** The servers and the release before are fetched and built where they are not there yet. */
const START_MS = 900_000;
/** How long views may take to show everything. */
const CAUGHT_UP_MS = 120_000;

/** How often something breaks, in the long form and in the short one. */
export const times = (full: number, short = 1): number => (FULL ? full : short);
/** The time limit of a drill that breaks something so often (milliseconds). */
export const limitMs = (often = 1): number => 180_000 + 60_000 * often;

/**
 * An installation for the drills of a file.
 *
 * @param names of its servers; MongoDB and Kafka are the first
 * @param appsOf finds the programs of its services, below `apps`; those of this release unless given
 */
export function installed(names: readonly EngineName[], appsOf?: () => string) {
  const installation = new Installation();
  let clients: Clients | undefined;
  beforeAll(() => installation.start(names, appsOf?.()), START_MS);
  afterEach(() => clients?.abandon());
  afterAll(() => installation.clear(), START_MS);

  /** Has clients report while something breaks, and looks for every acknowledged report. @param breaks returns what else is to be printed */
  const drill = async (breaks: (clients: Clients) => Promise<string | void>): Promise<void> => {
    clients = new Clients(installation, PAUSE_MS);
    try {
      await clients.load();
      const note = (await breaks(clients)) ?? '';
      await clients.unload();
      const ended = performance.now();
      await audit(installation, clients);
      const caughtUp = `views complete after ${inSeconds(performance.now() - ended)}`;
      process.stdout.write(`\n${expect.getState().currentTestName}: ${figuresOf(clients)}; ${caughtUp}. ${note}\n`);
    } catch (fault) {
      process.stderr.write(installation.all.map(({ log }) => `${log}\n`).join(''));
      throw fault;
    }
  };
  return { installation, drill };
}

/** Everything acknowledged is there once, and nothing else; `verify` passes, and no service has ended by itself. */
async function audit(installation: Installation, { environments, acknowledged }: Clients): Promise<void> {
  const reader = await installation.caller();
  const look = async (): Promise<unknown> => {
    try {
      expect(await complete(reader, environments, acknowledged)).toBe(acknowledged.length);
      return null;
    } catch (fault) {
      return fault;
    }
  };
  const fault = await eventually(look, (problem) => problem === null, CAUGHT_UP_MS);
  if (fault !== null) throw fault;
  await installation.services.ingestion[0]?.operate('verify');
  expect(installation.all.filter(({ isRunning }) => !isRunning)).toEqual([]);
}

function figuresOf({ acknowledged, gaps, refused }: Clients): string {
  const others = [...refused].map(([status, count]) => `, ${count} × ${status}`).join('');
  const longest = `longest gap ${inSeconds(gaps.reports)} (reads ${inSeconds(gaps.reads)})`;
  return `acknowledged ${acknowledged.length}${others}; ${longest}`;
}

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
