import { readFileSync } from 'node:fs';
import { type Announce, type Bootstrap, CannotStart, type Clock, type Role, type Settings } from '@assurance/http';
import { ok, type Result } from '@assurance/kernel';
import type { Engines } from '@assurance/storage-ports';
import { startApplication } from './application';
import { readBootstrapFile } from './bootstrap-file';
import { type Config, readConfig } from './config';
import { drain } from './drain';
import { openEngines } from './engines';
import { identityGuard } from './identity';
import { type LogStream, openLog } from './log';
import { listen, probe } from './listen';
import { problemOfRoles } from './roles';
import { openSecret } from './secret';
import { reachable, settingsOf } from './settings';
import { idsOf, systemClock, systemRandom } from './sources';
import { Undo } from './undo';

/** How long requests may go on after the process was asked to stop (milliseconds). */
const DRAIN_MS = 10_000;

/** What tests put in the place of the process's own. */
export interface Overrides {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Open engines, which stay their owner's to close. */
  readonly engines?: Engines;
  readonly clock?: Clock;
  readonly random?: (bytes: number) => Uint8Array;
  readonly announce?: Announce;
  readonly log?: LogStream;
  /** Told of faults that no caller waits for; logged unless given. */
  readonly onFault?: (fault: unknown) => void;
}

/** Roles that run. */
export interface Served {
  /** Where callers on this machine find it, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  readonly engines: Engines;
  /** The data folder, null where engines were given. */
  readonly folder: string | null;
  readonly settings: Settings;
  /** Stops listening, lets requests end (10 s at most), stops consumers, closes engines. */
  close(): Promise<void>;
}

/**
 * Runs roles in this process: reads the configuration, opens the engines, puts the roles' modules into one application, follows the feed, listens.
 *
 * @throws CannotStart with one sentence when the configuration or the machine does not allow it
 */
export async function serve(roles: readonly Role[], overrides: Overrides = {}): Promise<Served> {
  const { config, warnings } = orCannotStart(readConfig(overrides.env ?? process.env, readText));
  const logger = openLog(config.logLevel, overrides.log);
  for (const warning of warnings) logger.warn(warning);
  const problem = problemOfRoles(roles, config.storage);
  if (problem !== null) throw new CannotStart(problem);
  const bootstrap = orCannotStart(readBootstrap(config));
  // Tried before anything is written: a first start that fails on its port would have shown its key already.
  orCannotStart(await probe(config));

  const clock = overrides.clock ?? systemClock;
  const random = overrides.random ?? systemRandom;
  const onFault = overrides.onFault ?? ((err: unknown) => logger.error({ err }, 'the storage engine met a fault'));
  const undo = new Undo();
  try {
    const { engines, folder } =
      overrides.engines === undefined
        ? orCannotStart(await openEngines(config.storage, { now: () => clock.now(), random, onFault }))
        : { engines: overrides.engines, folder: null };
    if (overrides.engines === undefined) undo.add(() => engines.close());
    if (folder !== null) openSecret(config.secret, folder, random);

    const address = { port: config.port };
    const settings = settingsOf(config, address);
    const identify = orCannotStart(identityGuard(roles, { ports: engines, clock, settings }));
    const announce = overrides.announce ?? ((text: string) => void process.stdout.write(`${text}\n`));
    const handed = { ports: engines, clock, ids: idsOf(clock, random), settings, logger, bootstrap, announce };
    const app = await startApplication(roles, handed, identify, undo);
    const fastify = app.getHttpAdapter().getInstance();
    undo.add(() => drain(fastify, DRAIN_MS));
    address.port = orCannotStart(await listen(fastify, config));
    const url = `http://${reachable(config.host)}:${address.port}`;
    return { url, port: address.port, engines, folder, settings, close: () => undo.run() };
  } catch (fault) {
    // What cannot be closed after a failed start is worth a line, but not in the place of why the start failed.
    await undo.run().catch((err: unknown) => err === fault || logger.error({ err }, 'could not close in order'));
    throw fault;
  }
}

function orCannotStart<Value>(result: Result<Value, string>): Value {
  if (!result.ok) throw new CannotStart(result.refusal);
  return result.value;
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

function readBootstrap({ bootstrapFile }: Config): Result<Bootstrap, string> {
  return bootstrapFile === null ? ok({ kind: 'first-start' }) : readBootstrapFile(bootstrapFile, readText);
}
