import { BytesCache } from '@assurance/kernel';
import { RE2JS } from 're2js';

/** The most characters of a regular expression. */
const PATTERN_MAX = 500;
/** The most steps that it may be compiled to: a text is matched in time linear in them. Repetitions multiply them. */
const STEPS_MAX = 2_000;

/** The problem of a regular expression; null if it is valid. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > PATTERN_MAX) return `A regular expression has at most ${PATTERN_MAX} characters`;
  try {
    const steps = patternSteps(pattern);
    return steps > STEPS_MAX ? 'This regular expression repeats too much' : null;
  } catch (error) {
    return `This is no regular expression: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
}

/** How many steps a regular expression without a problem is compiled to. */
export function patternSteps(pattern: string): number {
  return compilePattern(pattern).programSize();
}

/**
 * Whether a regular expression matches a part of a text, in time linear in the text (RE2: no look-around, no back-references).
 *
 * @param pattern a valid one
 */
export function matchesPattern(pattern: string, text: string): boolean {
  return compilePattern(pattern).matcher(text).find();
}

/** The fixed cost of a compiled pattern, in steps. */
const EACH = 200;
/** Of how many steps they are remembered: a short pattern may have many. */
const cache = new BytesCache<RE2JS>(200_000, (regex) => EACH + regex.programSize());

/** The result depends only on the pattern, so a cached result is always valid. */
function compilePattern(pattern: string): RE2JS {
  const cached = cache.get(pattern);
  if (cached !== undefined) return cached;
  const regex = RE2JS.compile(pattern);
  cache.set(pattern, regex);
  return regex;
}
