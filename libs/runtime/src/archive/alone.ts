import { CannotStart, type Progress, type Role } from '@assurance/http';
import type { Logger } from 'pino';
import { assemble, orCannotStart } from '../assemble';
import type { Config } from '../config';
import { openEngines } from '../engines';
import { type Door, listRunning } from '../operations/ask-running';
import { Desk, type Ending } from '../operations/desk';
import { systemRandom, systemTime } from '../sources';
import { Undo } from '../undo';
import { exportOperation, sentenceOf } from './export-operation';
import { finishImport, importArchive, ImportRefused } from './import-archive';
import { keptOf } from './kept-of';

/** What a command is given. */
export interface Command {
  readonly roles: readonly Role[];
  readonly config: Config;
  readonly logger: Logger;
  readonly args: readonly string[];
  readonly report: (progress: Progress) => void;
}

const nobodyStops = new AbortController().signal;

/** `export` in this process, beside services that may run: where the engines are servers, whose files the operator wants here. */
export async function exportAlone({ roles, config, logger, args, report }: Command): Promise<Ending> {
  const undo = new Undo();
  try {
    const engines = await opened(config, logger, undo);
    const operation = exportOperation(engines, keptOf(roles), { now: systemTime, random: systemRandom });
    return await new Desk([operation], logger).run('export', args, report, nobodyStops);
  } finally {
    await undo.run();
  }
}

/** `import`: takes an archive into a store that nothing serves yet, and makes its heads. */
export async function importAlone(command: Command, running: Door | null): Promise<Ending> {
  const { roles, config, logger, args, report } = command;
  const [path, ...more] = args;
  if (path === undefined || path === '' || more.length > 0) return { error: 'import takes the path of one file.' };
  if (running !== null && (await listRunning(running)) !== null) {
    return {
      error: `A service runs at ${running.url}: an archive is imported before anything serves the store. Stop it, or name another store.`,
    };
  }
  const undo = new Undo();
  try {
    const engines = await opened(config, logger, undo);
    const order = { engines, kept: keptOf(roles), path, now: systemTime, report, signal: nobodyStops };
    const { counts, ...header } = await importArchive(order);
    const heads = await headsOf(command, engines);
    if ('error' in heads) return heads;
    await finishImport(order, header);
    const summary = `Imported ${sentenceOf(counts)}. The views are built when a service starts.`;
    return { outcome: { ok: true, summary, details: { archive: header.id, ...counts } } };
  } catch (fault) {
    if (fault instanceof ImportRefused) return { error: fault.message };
    throw fault;
  } finally {
    await undo.run();
  }
}

type Opened = Awaited<ReturnType<typeof opened>>;

async function opened({ storage }: Config, logger: Logger, undo: Undo) {
  const onFault = (err: unknown) => logger.error({ err }, 'the storage engine met a fault');
  const steady = () => performance.now();
  const sources = { now: systemTime, steady, random: systemRandom, onFault, relays: false };
  const { engines } = orCannotStart(await openEngines(storage, sources));
  undo.add(() => engines.close());
  return engines;
}

/** Heads and what is kept beside them, as every commit says, by the operation that repairs them. */
async function headsOf({ roles, config, logger, report }: Command, engines: Opened): Promise<Ending> {
  const undo = new Undo();
  const bootstrap = { kind: 'file', users: [], organizations: [] } as const;
  const address = { port: config.port };
  try {
    const parts = { config, logger, bootstrap, announce: () => undefined, address, engines, importing: true };
    // The others would begin their own work, such as sending what waits to be sent.
    const keeper = roles.filter(({ name }) => name === 'ingestion');
    const { desk } = await assemble(keeper, parts, undo);
    if (desk.problemOf('rebuild-heads') !== null) throw new CannotStart('These roles keep no heads.');
    return await desk.run('rebuild-heads', [], report, nobodyStops);
  } finally {
    await undo.run();
  }
}
