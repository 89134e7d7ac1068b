import { beginningOf } from '@assurance/kernel';
import { raw } from 'jq-wasm';
import { InputEncoder } from './jq-input';

/** jq's own words of errors begin so; anything else means that it broke. */
const JQ_ERROR_PREFIX = 'jq: ';
/** How many values of a rule are looked at: a rule may yield several, and all must be true. */
const YIELDS_MAX = 100;
const SHOWN_MAX = 300;

/** A program as jq takes it: what begins with a dash would be an option. */
const program = (text: string) => ` ${text}`;
/** Yields exactly one value for any rule. The line feed ends a comment at the end of the rule. */
const ruleProgram = (rule: string) => ` [limit(${YIELDS_MAX}; (${rule}\n))] | length > 0 and all(. == true)`;

/**
 * The fault of a jq program, null if it is valid.
 *
 * @throws Error when jq itself broke
 */
export async function programProblem(text: string): Promise<string | null> {
  // Without input there is nothing to run on. Both ways, since a rule may close the brackets around it.
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
 * Whether a rule yields true: at least one value, and none but true. A rule that fails on the data does not.
 *
 * @param data JSON text
 * @throws Error when jq itself broke
 */
export async function isRuleMet(rule: string, data: string): Promise<boolean> {
  try {
    return (await run(data, ruleProgram(rule))) === 'true';
  } catch (error) {
    messageOf(error);
    return false;
  }
}

/** One run at a time: while it lasts, the thread's `TextEncoder` is one whose bytes jq reads in linear time. */
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
