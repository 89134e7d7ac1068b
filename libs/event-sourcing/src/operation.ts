/** The progress of long work. */
export interface Progress {
  readonly done: number;
  /** How many there are in total; null while that is unknown. */
  readonly of: number | null;
  /** The name of the counted things, such as `commits`. */
  readonly unit: string;
}

/** The result of an operation: one sentence, and figures for programs. */
export interface Outcome {
  /** False if the operation found a fault, such as a broken chain. The command then exits with code 1. */
  readonly ok: boolean;
  readonly summary: string;
  readonly details?: object;
}

/** Work that an operator starts in a running service. It is an injectable of its role's module and is listed in `Role.operations`. */
export interface Operation {
  /** The command's first word, such as `rebuild`. */
  readonly name: string;
  /** The arguments, such as `<view>`; empty if none are accepted. */
  readonly usage: string;
  /** One line for the list of commands: what it does. It begins in lower case and has no full stop. */
  readonly summary: string;
  /**
   * @param args the words after the name
   * @param report is called with progress, as often as is useful to a person
   * @param signal aborted when the caller no longer waits; the work then stops, if it can
   * @throws OperationRefused when the arguments are wrong
   */
  run(args: readonly string[], report: (progress: Progress) => void, signal: AbortSignal): Promise<Outcome>;
}

/** An operation was refused. The message is the answer, in one sentence. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
}
