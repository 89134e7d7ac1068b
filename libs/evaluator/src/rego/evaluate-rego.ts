import { type Instance, startInstance } from './instance';

/** Policies in Rego, and what they judge. */
export interface RegoJob {
  readonly kind: 'rego';
  /** Identifies the files. */
  readonly digest: string;
  /** JSON text: an object of sources by path. */
  readonly files: string;
  /** JSON text; null: the files are compiled alone. */
  readonly input: string | null;
  /** JSON text of an object. */
  readonly params: string;
  /** The time of the evaluation (nanoseconds since 1970). */
  readonly time: string;
}

/** A place in a file that does not compile. Lines and columns begin with 1. */
export interface RegoProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** Why a policy has no verdict. */
export interface RegoFailure {
  readonly kind: 'no_policy' | 'entrypoint' | 'compile' | 'result_shape' | 'input_shape' | 'evaluate';
  readonly message: string;
  readonly problems?: readonly RegoProblem[];
}

export type RegoAnswer =
  | { readonly kind: 'compiled' }
  /**
   * JSON text of an object: `allow` is a boolean, `violations` a list of texts if the policy has this rule, and further members are the values
   * of its entry points. Numbers have the digits that the policy gave them.
   */
  | { readonly kind: 'evaluated'; readonly result: string }
  | RegoFailure;

/** The memory that an instance holds never shrinks. One with more than this is not used again (bytes). */
const HELD_MAX = 128 * 1024 * 1024;

let instance: Promise<Instance> | null = null;

/**
 * Compiles the files unless the instance keeps them from before, and evaluates them. If the memory or the stack of the instance is used up, it
 * throws, and the instance cannot be used again.
 *
 * @param onEvaluate is called when the files are compiled
 * @returns `spent`: the instance should not be used again
 */
export async function evaluateRego(
  { digest, files, input, params, time }: RegoJob,
  onEvaluate: () => void,
): Promise<{ readonly answer: RegoAnswer; readonly spent: boolean }> {
  const { ask, memoryBytes } = await (instance ??= startInstance());
  const askFor = (request: string) => answerOf(ask(request));
  const of = `{"digest":${JSON.stringify(digest)}`;
  let answer = askFor(`${of}}`);
  if (answer.kind === 'missing') answer = askFor(`${of},"files":${files}}`);
  if (answer.kind === 'compiled' && input !== null) {
    onEvaluate();
    answer = askFor(`${of},"input":${input},"params":${params},"time":"${time}"}`);
  }
  if (answer.kind === 'missing') throw new Error('a bundle that was compiled is missing');
  return { answer, spent: memoryBytes() > HELD_MAX };
}

const EVALUATED = '{"kind":"evaluated","result":';

function answerOf(text: string): RegoAnswer | { readonly kind: 'missing' } {
  if (text.startsWith(EVALUATED)) return { kind: 'evaluated', result: text.slice(EVALUATED.length, -1) };
  return JSON.parse(text) as RegoFailure | { readonly kind: 'compiled' | 'missing' };
}
