import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Progress } from '@assurance/event-sourcing/operation';
import { CannotStart, type Role } from '@assurance/http';
import { VERSION } from '@assurance/kernel';
import { exportAlone, importAlone } from './archive/alone';
import { withWholePath } from './archive/words';
import { assemble } from './assemble';
import { checkConfig, CONFIG } from './check-config';
import { messageOf } from './error-code';
import type { Config } from './config';
import type { AdminCommands, CommandResult, ListedOperation } from './operations/admin-commands';
import { type AdminAddress, runOnService, listRunning, type RefusalAnswer } from './operations/ask-running';
import { throttle } from './operations/throttle';
import { operationsToken } from './operations/token';
import { storedSecret } from './secret';
import { configure } from './serve';
import { reachable, schemeOf } from './settings';
import { CleanupStack } from './cleanup-stack';

/** How often progress is written as a line if the output is not a terminal (milliseconds). */
const LINE_MS = 3_000;

/** `import` is not an operation of a running service, because it needs a store that no service uses. */
const IMPORT: ListedOperation = {
  name: 'import',
  usage: 'FILE',
  summary: 'reads an archive of export into an empty store',
};

/**
 * Runs `npm run operate -- <name> [arguments]`. It calls the running service. If no service runs, it opens the engines
 * itself. Progress goes to standard error, and the result goes to standard output. The exit code is 0 on success and 1
 * otherwise. Without arguments, it lists all operations.
 */
export async function operate(roles: readonly Role[], words: readonly string[]): Promise<void> {
  if (words[0] === '--version') return printText({ text: VERSION });
  try {
    if (words[0] === CONFIG.name) {
      const checked = checkConfig(roles, words.slice(1), process.env);
      for (const warning of checked.warnings) process.stderr.write(`${warning}\n`);
      return printText(checked);
    }
    const { config, logger } = configure(roles, {});
    // The result on standard output is enough; log lines at level info would repeat it.
    if (logger.level === 'info') logger.level = 'warn';
    const [name, ...value] = words;
    // A running service has another working folder, so relative paths become absolute.
    const args = withWholePath(name, value);
    const adminAddress = adminAddressOf(config);
    const runAlone = <T>(use: (commands: AdminCommands) => Promise<T>) => withoutService(roles, config, logger, use);
    if (name === undefined) {
      const listedOperations =
        (adminAddress && (await listRunning(adminAddress))) ??
        (await runAlone((commands) => Promise.resolve(commands.list())));
      return printText(
        'error' in listedOperations
          ? listedOperations
          : { text: listOf(listedOperations as readonly ListedOperation[]) },
      );
    }
    const report = progressOn(process.stderr);
    const command = { roles, config, logger, args, report };
    if (name === 'import') return printResult(await importAlone(command, adminAddress));
    if (name === 'export' && config.storage.kind === 'scaled') return printResult(await exportAlone(command));
    const runHere = (commands: AdminCommands): Promise<CommandResult> =>
      commands.problemOf(name) === 'unknown'
        ? Promise.resolve({ error: `There is no operation ${name}. ${listOf(commands.list())}` })
        : commands.run(name, args, report, new AbortController().signal);
    const result =
      (adminAddress && (await runOnService(adminAddress, name, args, report))) ?? (await runAlone(runHere));
    printResult(result);
  } catch (fault) {
    printText({ error: fault instanceof CannotStart ? fault.message : `It failed: ${messageOf(fault)}` });
  }
}

function printResult(ending: CommandResult): void {
  if ('error' in ending) return printText(ending);
  printText({ text: ending.outcome.summary });
  if (!ending.outcome.ok) process.exitCode = 1;
}

function printText(output: { readonly text: string } | RefusalAnswer): void {
  if ('text' in output) process.stdout.write(`${output.text}\n`);
  else {
    process.stderr.write(`${output.error}\n`);
    process.exitCode = 1;
  }
}

function listOf(listed: readonly ListedOperation[]): string {
  return [
    'There are:',
    ...[...listed, IMPORT, CONFIG].map(({ name, usage, summary }) => `  ${`${name} ${usage}`.trimEnd()}: ${summary}`),
  ].join('\n');
}

/** The operations address of a running service. Null if there is no secret yet, because no service has run then. */
function adminAddressOf({ operations, secret, storage, tls }: Config): AdminAddress | null {
  const existing = secret ?? (storage.kind === 'embedded' ? storedSecret(storage.folder) : null);
  if (existing === null) return null;
  const url = `${schemeOf(tls)}://${reachable(operations.host)}:${operations.port}`;
  const certificate = tls === null || tls.own === null ? null : readFileSync(tls.own.certificate, 'utf8');
  return { url, token: operationsToken(existing), certificate };
}

async function withoutService<T>(
  roles: readonly Role[],
  config: Config,
  logger: Parameters<typeof assemble>[1]['logger'],
  use: (commands: AdminCommands) => Promise<T>,
): Promise<T> {
  const { storage, operations, secret } = config;
  const nobody = `No service listens on ${operations.host}:${operations.port} (ASSURANCE_OPERATIONS_HOST, ASSURANCE_OPERATIONS_PORT)`;
  if (storage.kind === 'embedded' && !existsSync(storage.folder)) {
    const missing = `is no data folder ${resolve(storage.folder)} (ASSURANCE_DATA_DIR)`;
    // Without a secret no service was asked.
    throw new CannotStart(
      secret === null
        ? `There ${missing}, and ASSURANCE_SECRET is not set: give the settings of the service.`
        : `${nobody}, and there ${missing}.`,
    );
  }
  const cleanup = new CleanupStack();
  // Only the start of a service creates declared users and organizations, so this declares none.
  const bootstrap = { kind: 'file', users: [], organizations: [] } as const;
  const parts = { config, logger, bootstrap, announce: () => undefined, address: { port: config.port } };
  try {
    const { commands } = await assemble(roles, parts, cleanup).catch((fault: unknown) => {
      if (!(fault instanceof CannotStart)) throw fault;
      throw new CannotStart(`${nobody}, and the data cannot be opened here: ${fault.message}`);
    });
    return await use(commands);
  } finally {
    await cleanup.run();
  }
}

function progressOn(stream: NodeJS.WriteStream): (progress: Progress) => void {
  const text = ({ done, of, unit }: Progress) => `${done}${of === null ? '' : ` of ${of}`} ${unit}`;
  if (stream.isTTY) return (progress) => void stream.write(`\r\u001b[K${text(progress)}`);
  return throttle((progress) => void stream.write(`${text(progress)}\n`), LINE_MS).report;
}
