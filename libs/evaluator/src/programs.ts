import { beginningOf } from '@assurance/kernel';
import { raw } from 'jq-wasm';
import { InputEncoder } from './jq-input';

/** The prefix of jq's own error messages. Any other error means that jq itself failed. */
const JQ_ERROR_PREFIX = 'jq: ';
/** How many values of a rule are checked. A rule may yield several values, and all must be true. */
const YIELDS_MAX = 100;
const SHOWN_MAX = 300;

/** A program with a blank before it, because jq reads a text with a dash at its beginning as an option. */
const program = (text: string) => ` ${text}`;
/** Yields exactly one value for any rule. The line feed ends a comment at the end of the rule. */
const ruleProgram = (rule: string) => ` [limit(${YIELDS_MAX}; (${rule}\n))] | length > 0 and all(. == true)`;

/**
 * The error in a jq program; null if it is valid.
 *
 * @throws Error if jq itself fails
 */
export async function programProblem(text: string): Promise<string | null> {
  // Without input, jq only compiles the program. Both forms are compiled, because a rule could close the brackets around it.
  for (const name of [program(text), ruleProgram(text)]) {
    try {
      await run('', name);
    } catch (error) {
      return messageOf(error);
    }
  }
  return null;
}

/**
 * Whether a rule yields at least one value and only true. It is false for a rule that fails on the data.
 *
 * @param data JSON text
 * @throws Error if jq itself fails
 */
export async function isRuleMet(rule: string, data: string): Promise<boolean> {
  try {
    return (await run(data, ruleProgram(rule))) === 'true';
  } catch (error) {
    messageOf(error);
    return false;
  }
}

/** Runs a jq program. Only one may run at a time, because it replaces the thread's `TextEncoder` so that jq reads its input in linear time. */
async function run(data: string, program: string): Promise<string> {
  const { TextEncoder } = globalThis;
  globalThis.TextEncoder = InputEncoder as unknown as typeof TextEncoder;
  try {
    return await raw(data, program, ['-c']);
  } finally {
    globalThis.TextEncoder = TextEncoder;
  }
}

function messageOf(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).replace('Failed to execute raw query: ', '');
  if (!message.startsWith(JQ_ERROR_PREFIX)) throw new Error(message);
  const [line = ''] = message.slice(JQ_ERROR_PREFIX.length).split('\n');
  const stated = line.replace(' (Unix shell quoting issues?)', '').replace(/ at <top-level>, line 1:$/, '');
  return beginningOf(stated, SHOWN_MAX);
}
