import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOfProblem } from './problems';

const OPENAPI = join(__dirname, '../../../../docs/reference/openapi.json');
const wordsOf = (pattern: string) => wordsOfProblem(`String should match pattern '${pattern}' [input: it's [1]]`);

/** All patterns of the API. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { pattern } = value as { readonly pattern?: unknown };
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(value).flatMap(patternsIn)];
}

describe('a problem of a field', () => {
  it.each([
    ['^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_]*$', 'Letters, digits, ., - and _; begins with a letter or digit'],
    ['^[a-zA-Z0-9\\-]+$', 'Letters, digits and -'],
    ['^(?!(api|live)$)[a-z][a-z_]*$', 'Letters and _; begins with a letter; not api or live'],
    ['^[a-f0-9]{64}$', '64 digits from 0 to 9 and a to f'],
    ['^(x|y)$', 'Not in the form that is needed'],
  ])('says in words what %s allows', (pattern, words) => expect(wordsOf(pattern)).toBe(words));

  it('says what is allowed for each pattern of the API', () => {
    const patterns = [...new Set(patternsIn(JSON.parse(readFileSync(OPENAPI, 'utf8')) as unknown))];
    expect(patterns.length).toBeGreaterThan(20);
    for (const pattern of patterns) expect(wordsOf(pattern)).not.toMatch(/[\^$\\*]|\[|\(\?|Not in the form/);
  });

  it('begins with its place in a file, and leaves the input out', () => {
    expect(wordsOfProblem('Unknown key (line 2, column 8)')).toBe('Line 2, column 8: Unknown key');
    expect(wordsOfProblem('Input should be a list [input: web] (line 2, column 14)')).toBe(
      'Line 2, column 14: Input should be a list',
    );
    expect(wordsOfProblem('Input should have at most 9 characters [input: ten letters]')).toBe('At most 9 characters');
  });

  it('is unchanged otherwise', () => expect(wordsOfProblem('Field required')).toBe('Field required'));
});
