import { readFileSync } from 'node:fs';
import type { Server as HttpsServer } from 'node:https';
import { type Announce, type Bootstrap, CannotStart, type Role } from '@assurance/http';
import { ok, type Result } from '@assurance/kernel';
import { StoreLost } from '@assurance/storage-ports';
import type { Logger } from 'pino';
import { assemble, type AssembledRoles, orCannotStart, type Parts } from './assemble';
import { readBootstrapFile } from './bootstrap-file';
import { type Config, readConfig } from './config';
import { connectionLimit, Connections, fileLimit } from './connections';
import { drain, type Listener } from './drain';
import { listen, OPERATIONS, probeAddress } from './listen';
import { type LogStream, logWarnings, openLog } from './log';
import { moreSockets } from './listening-sockets';
import { operationsListener } from './operations/listener';
import { startingListener } from './operations/starting';
import { operationsToken } from './operations/token';
import { problemOfRoles } from './roles';
import { reachable, schemeOf } from './settings';
import { TlsFiles } from './tls/tls-files';
import { openTracing } from './tracing/tracing';
import { CleanupStack } from './cleanup-stack';

/** How long requests may continue after the process was asked to stop (milliseconds). */
const DRAIN_MS = 10_000;
/** How long closing may take after that (milliseconds): work that waits for a store that does not answer is given up then. */
const CLOSE_MS = 5_000;
/** The same for requests to the operations address (milliseconds). */
const OPERATIONS_DRAIN_MS = 1_000;

/** Replacements for tests. */
export interface Overrides extends Pick<Parts, 'engines' | 'now' | 'random' | 'onFault'> {
  /** How long it still accepts requests after it was asked to stop (milliseconds, see `DrainTimes`). The default is 0. */
  readonly lameDuckMs?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly announce?: Announce;
  readonly log?: LogStream;
  /** Whether nothing else runs in this process. If so, the warnings of Node go to the log. */
  readonly ownProcess?: boolean;
}

/** The operations address, and the token that operators need. */
export interface AdminListener {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
}

/** Running roles. */
export interface RunningRoles extends Pick<AssembledRoles, 'engines' | 'folder' | 'settings'> {
  /** The URL for callers on this machine, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  readonly operations: AdminListener;
  /** How long a stop may take (milliseconds). Then the process may end: what was not recorded is done again by the next one. */
  readonly stopMs: number;
  /** Resolves if the storage cannot continue in this process. The caller logs the reason, closes and ends the process. */
  readonly lost: Promise<StoreLost>;
  /**
   * Stops in this order: it reports that it is not ready, closes connections, stops listening, waits for running requests
   * (10 s at most), stops operations and consumers, closes engines.
   *
   * @param why the reason that `/ready` gives; by default, that the service shuts down
   */
  close(why?: string): Promise<void>;
}

/**
 * Runs roles in this process: it reads the configuration, opens the engines, starts one application with the modules of all
 * roles, follows the feed, and listens.
 *
 * @throws CannotStart with one sentence if the configuration or the machine does not allow it
 */
export async function serve(roles: readonly Role[], overrides: Overrides = {}): Promise<RunningRoles> {
  const { config, logger } = configure(roles, overrides);
  if (overrides.ownProcess === true) logWarnings(logger);
  const bootstrap = orCannotStart(readBootstrap(config));
  // This is checked before anything is written. Otherwise a first start could print its key and then fail because the port
  // is in use.
  orCannotStart(await probeAddress(config));
  orCannotStart(await probeAddress(config.operations, OPERATIONS));
  const tls = config.tls === null ? null : orCannotStart(TlsFiles.open(config.tls, logger));

  const announce = overrides.announce ?? ((text: string) => void process.stdout.write(`${text}\n`));
  const address = { port: config.port };
  const cleanup = new CleanupStack();
  cleanup.add(() => tls?.stop());
  let lose: (why: StoreLost) => void = () => undefined;
  const lost = new Promise<StoreLost>((resolve) => (lose = resolve));
  const onFault = (err: unknown) => {
    if (err instanceof StoreLost) lose(err);
    if (overrides.onFault !== undefined) overrides.onFault(err);
    else if (!(err instanceof StoreLost)) logger.error({ err }, 'the storage engine failed');
  };
  try {
    const operators = new CleanupStack();
    cleanup.add(() => operators.run());
    const tracing = await openTracing(overrides.env ?? process.env, serviceNameOf(roles));
    if (tracing !== null) cleanup.add(() => tracing.close());
    const parts = { ...overrides, config, logger, bootstrap, announce, address, onFault, tracing, tls };
    const starting = await openStarting(config, tls, cleanup);
    const assembledRoles = await assemble(roles, parts, cleanup);
    await starting?.();
    const { app, engines, folder, settings, health, checkpointer } = assembledRoles;
    const operations = await openAdminListener(assembledRoles, config, logger, tls, operators);
    const fastify = app.getHttpAdapter().getInstance();
    tls?.watch(fastify.server as unknown as HttpsServer, tls.api);
    const listener: Listener = {
      server: fastify.server,
      connections: new Connections(fastify.server, connectionLimit(fileLimit(), settings.limits.requestsAtOnce)),
      more: tls === null ? moreSockets(fastify.server) : [],
      listen: (where) => fastify.listen(where),
      close: () => fastify.close(),
    };
    cleanup.add(() =>
      drain(listener, { lameDuck: overrides.lameDuckMs ?? 0, accepting: config.acceptingMs, within: DRAIN_MS }),
    );
    address.port = orCannotStart(await listen(listener, config));
    checkpointer?.start();
    const close = (why?: string) => {
      health.stop(why);
      return cleanup.run();
    };
    const { port } = address;
    const stopMs = Math.max(overrides.lameDuckMs ?? 0, config.acceptingMs) + DRAIN_MS + CLOSE_MS;
    return { url: urlOf(config, port), port, operations, stopMs, engines, folder, settings, lost, close };
  } catch (fault) {
    // If closing fails after a failed start, that is logged. It does not replace the reason of the failed start.
    await cleanup
      .run()
      .catch((err: unknown) => err === fault || logger.error({ err }, 'the service could not close in order'));
    throw fault;
  }
}

/**
 * Reads the configuration and opens the log.
 *
 * @throws CannotStart if these roles cannot run with this configuration
 */
export function configure(roles: readonly Role[], overrides: Pick<Overrides, 'env' | 'log' | 'engines'>) {
  const { config, warnings } = orCannotStart(readConfig(overrides.env ?? process.env, readText));
  const logger = openLog(config.logLevel, overrides.log);
  for (const warning of warnings) logger.warn(warning);
  const problem = problemOfRoles(roles, config, config.storage.kind === 'scaled' || overrides.engines !== undefined);
  if (problem !== null) throw new CannotStart(problem);
  return { config, logger };
}

/** Answers `/live` until the returned function closes it. Null if the port is random, because no caller knows it then. */
async function openStarting(config: Config, tls: TlsFiles | null, cleanup: CleanupStack) {
  if (config.operations.port === 0) return null;
  const listener = startingListener(tls?.operations ?? null);
  orCannotStart(await listen(listener, config.operations, OPERATIONS));
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= drain(listener, { lameDuck: 0, within: 0 }));
  cleanup.add(close);
  return close;
}

/** @param cleanup runs after the other steps, so that operators can watch how they end */
async function openAdminListener(
  { health, metrics, commands, secrets }: AssembledRoles,
  config: Config,
  logger: Logger,
  tls: TlsFiles | null,
  cleanup: CleanupStack,
): Promise<AdminListener> {
  const token = operationsToken(secrets[0]);
  const listener = operationsListener({ health, metrics, commands, token, logger, tls: tls?.operations ?? null });
  tls?.watch(listener.server as HttpsServer, tls.operations);
  const port = orCannotStart(await listen(listener, config.operations, OPERATIONS));
  cleanup.add(() => drain(listener, { lameDuck: 0, within: OPERATIONS_DRAIN_MS }));
  return { url: urlOf({ ...config, host: config.operations.host }, port), token };
}

function serviceNameOf(roles: readonly Role[]): string {
  const [first] = roles;
  return roles.length === 1 && first !== undefined ? `assurance-${first.name}` : 'assurance';
}

function urlOf({ host, tls }: Pick<Config, 'host' | 'tls'>, port: number): string {
  return `${schemeOf(tls)}://${reachable(host)}:${port}`;
}

/** @returns a file's text */
export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

/** Reads the bootstrap file if there is one. */
export function readBootstrap({ bootstrapFile }: Config): Result<Bootstrap, string> {
  return bootstrapFile === null ? ok({ kind: 'first-start' }) : readBootstrapFile(bootstrapFile, readText);
}
