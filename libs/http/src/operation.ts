/** How far long work has come. */
export interface Progress {
  readonly done: number;
  /** How many there are on all, null while that is not known. */
  readonly of: number | null;
  /** What is counted, such as `commits`. */
  readonly unit: string;
}

/** How an operation ended: one sentence, and figures for whoever reads it by program. */
export interface Outcome {
  /** False when what was asked for was found wanting, such as a broken chain: the command then ends with code 1. */
  readonly ok: boolean;
  readonly summary: string;
  readonly details?: object;
}

/** Work that an operator asks of a running service: an injectable of its role's module, named in `Role.operations`. */
export interface Operation {
  /** The command's first word, such as `rebuild`. */
  readonly name: string;
  /** The words that may follow, such as `<view> | heads`; empty when none may. */
  readonly usage: string;
  /** One line for the list of commands: what it does, beginning small, without a full stop. */
  readonly summary: string;
  /**
   * @param args the words after the name
   * @param report told of progress, as often as is useful to a person
   * @param signal aborted when nobody waits for the outcome any more: work that may stop stops
   * @throws OperationRefused when the words cannot be obeyed
   */
  run(args: readonly string[], report: (progress: Progress) => void, signal: AbortSignal): Promise<Outcome>;
}

/** An operation cannot do what was asked: its message, one sentence, is the answer. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
}
