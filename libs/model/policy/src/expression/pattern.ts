import { RE2JS } from 're2js';

/** The most characters of a regular expression. */
const PATTERN_MAX = 500;
/** The most steps that it may be compiled to: a text is matched in time linear in them. Repetitions multiply them. */
const STEPS_MAX = 2_000;

/** What is wrong with a regular expression; null when nothing is. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > PATTERN_MAX) return `A regular expression has at most ${PATTERN_MAX} characters`;
  try {
    const steps = compiled(pattern).programSize();
    return steps > STEPS_MAX ? 'This regular expression repeats too much' : null;
  } catch (error) {
    return `This is no regular expression: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
}

/**
 * Whether a regular expression is found in a text, in time linear in the text (RE2: no look-around, no references back).
 *
 * @param pattern without a problem
 */
export function matchesPattern(pattern: string, text: string): boolean {
  return compiled(pattern).matcher(text).find();
}

const known = new Map<string, RE2JS>();
const KNOWN_MAX = 500;

/** It follows from the pattern alone, so that it is never out of date. */
function compiled(pattern: string): RE2JS {
  const found = known.get(pattern);
  if (found !== undefined) return found;
  const made = RE2JS.compile(pattern);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(pattern, made);
  return made;
}
