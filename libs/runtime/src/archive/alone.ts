import type { Progress } from '@assurance/event-sourcing/operation';
import { CannotStart, type Role } from '@assurance/http';
import type { Logger } from 'pino';
import { assemble, orCannotStart } from '../assemble';
import type { Config } from '../config';
import { openEngines } from '../engines';
import { AdminCommands, type CommandResult } from '../operations/admin-commands';
import { type AdminAddress, listRunning } from '../operations/ask-running';
import { systemRandom, systemTime } from '../sources';
import { CleanupStack } from '../cleanup-stack';
import { archivedCollectionsOf, exportOperation, sentenceOf } from './export-operation';
import { finishImport, importArchive, ImportRefused } from './import-archive';

export interface Command {
  readonly roles: readonly Role[];
  readonly config: Config;
  readonly logger: Logger;
  readonly args: readonly string[];
  readonly report: (progress: Progress) => void;
}

const nobodyStops = new AbortController().signal;

/**
 * Runs `export` in this process, also while services run. It is for engines that are servers: it writes the file on the
 * operator's machine.
 */
export async function exportAlone({ roles, config, logger, args, report }: Command): Promise<CommandResult> {
  const cleanup = new CleanupStack();
  try {
    const { engines } = await openForImport(config, logger, cleanup);
    const operation = exportOperation(engines, archivedCollectionsOf(roles), { now: systemTime, random: systemRandom });
    return await new AdminCommands([operation], logger).run('export', args, report, nobodyStops);
  } finally {
    await cleanup.run();
  }
}

/**
 * `import`: loads an archive into a store that no service uses yet, builds its aggregate states, and signs a checkpoint
 * with this installation's key.
 */
export async function importAlone(command: Command, adminAddress: AdminAddress | null): Promise<CommandResult> {
  const { roles, config, logger, args, report } = command;
  const [path, ...more] = args;
  if (path === undefined || path === '' || more.length > 0) return { error: 'import takes the path of one file.' };
  if (adminAddress !== null && (await listRunning(adminAddress)) !== null) {
    return {
      error: `A service runs at ${adminAddress.url}. Stop it before the import, or configure another store.`,
    };
  }
  const cleanup = new CleanupStack();
  try {
    const store = await openForImport(config, logger, cleanup);
    const { engines } = store;
    const order = {
      engines,
      archived: archivedCollectionsOf(roles),
      path,
      now: systemTime,
      report,
      signal: nobodyStops,
    };
    const { counts, ...header } = await importArchive(order);
    const problem = await completeImport(command, store);
    if (problem !== null) return problem;
    await finishImport(order, header);
    const summary = `Imported ${sentenceOf(counts)}. The views are built when a service starts.`;
    return { outcome: { ok: true, summary, details: { archive: header.id, ...counts } } };
  } catch (fault) {
    if (fault instanceof ImportRefused) return { error: fault.message };
    throw fault;
  } finally {
    await cleanup.run();
  }
}

type Store = Awaited<ReturnType<typeof openForImport>>;

async function openForImport(config: Config, logger: Logger, cleanup: CleanupStack) {
  const onFault = (err: unknown) => logger.error({ err }, 'the storage engine failed');
  const steady = () => performance.now();
  const sources = { now: systemTime, steady, random: systemRandom, onFault, relays: false };
  const store = orCannotStart(await openEngines(config, sources));
  cleanup.add(() => store.engines.close());
  return store;
}

/**
 * Builds aggregate states and inline projections from all commits, and signs a checkpoint with this installation's key.
 * It uses the operations of a service.
 *
 * @returns the error; null on success
 */
async function completeImport(
  { roles, config, logger, report }: Command,
  { engines, folder }: Store,
): Promise<CommandResult | null> {
  const cleanup = new CleanupStack();
  const bootstrap = { kind: 'file', users: [], organizations: [] } as const;
  const address = { port: config.port };
  try {
    const parts = { config, logger, bootstrap, announce: () => undefined, address, engines, folder, importing: true };
    // Other roles would begin their own work, such as sending waiting notifications.
    const ingestion = roles.filter(({ name }) => name === 'ingestion');
    const { commands } = await assemble(ingestion, parts, cleanup);
    for (const name of ['rebuild-heads', 'checkpoint']) {
      if (commands.problemOf(name) !== null) throw new CannotStart(`These roles have no operation ${name}.`);
      const ending = await commands.run(name, [], report, nobodyStops);
      if ('error' in ending) return ending;
    }
    return null;
  } finally {
    await cleanup.run();
  }
}
