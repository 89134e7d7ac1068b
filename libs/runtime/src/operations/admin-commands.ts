import { type Operation, OperationRefused, type Outcome, type Progress } from '@assurance/event-sourcing/operation';
import type { Logger } from '@assurance/event-sourcing/tokens';
import { messageOf } from '../error-code';

/** How long an ending process waits for its running operations to stop (milliseconds). */
const STOP_MS = 10_000;

/** An operation in the list for operators. */
export type ListedOperation = Pick<Operation, 'name' | 'usage' | 'summary'>;

/** The result of an operation, or one sentence that explains why it failed. */
export type CommandResult = { readonly outcome: Outcome } | { readonly error: string };

/** The operations of this process. Each operation has at most one run at a time. */
export class AdminCommands {
  private readonly operations: ReadonlyMap<string, Operation>;
  private readonly runs = new Map<string, Promise<CommandResult>>();
  private readonly stopController = new AbortController();

  constructor(
    operations: readonly Operation[],
    private readonly logger: Logger,
  ) {
    this.operations = new Map(operations.map((operation) => [operation.name, operation]));
    if (this.operations.size < operations.length) throw new Error('two operations have one name');
  }

  list(): ListedOperation[] {
    return [...this.operations.values()]
      .map(({ name, usage, summary }) => ({ name, usage, summary }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Why an operation cannot run now: it is unknown, or it is already running. Null if it can run. */
  problemOf(name: string): 'unknown' | 'busy' | null {
    if (!this.operations.has(name)) return 'unknown';
    return this.runs.has(name) ? 'busy' : null;
  }

  /** Runs an operation for which `problemOf` is null. A fault of the operation is logged and returned, not thrown. */
  async run(
    name: string,
    args: readonly string[],
    report: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<CommandResult> {
    const operation = this.operations.get(name);
    if (operation === undefined || this.runs.has(name)) throw new Error(`${name} cannot run now`);
    const run = this.runToEnd(operation, args, report, AbortSignal.any([signal, this.stopController.signal]));
    this.runs.set(name, run);
    try {
      return await run;
    } finally {
      this.runs.delete(name);
    }
  }

  /** Stops all running operations and waits for them for a limited time. */
  async stop(): Promise<void> {
    this.stopController.abort();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, STOP_MS)));
    await Promise.race([Promise.all(this.runs.values()), timeout]);
    clearTimeout(timer);
  }

  private async runToEnd(
    operation: Operation,
    args: readonly string[],
    report: (progress: Progress) => void,
    signal: AbortSignal,
  ): Promise<CommandResult> {
    if (signal.aborted) return { error: 'The service is shutting down.' };
    const { name } = operation;
    this.logger.info({ operation: name, args }, 'an operation began');
    try {
      const outcome = await operation.run(args, report, signal);
      this.logger.info({ operation: name, ok: outcome.ok, summary: outcome.summary }, 'an operation ended');
      return { outcome };
    } catch (err) {
      if (err instanceof OperationRefused) return { error: err.message };
      const wasStopped = signal.aborted;
      this.logger[wasStopped ? 'info' : 'error'](
        { err, operation: name },
        wasStopped ? 'an operation was stopped' : 'an operation failed',
      );
      return { error: `${name} ${wasStopped ? 'was stopped' : 'failed'}: ${messageOf(err)}` };
    }
  }
}
