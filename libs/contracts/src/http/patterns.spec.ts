import { echo } from '@assurance/kernel';
import { patternMessage, PATTERNS } from './patterns';

describe('name patterns', () => {
  it.each<[keyof typeof PATTERNS, string, boolean]>([
    ['environment', 'aws-prod_1.x', true],
    ['environment', 'a~1', false],
    ['environment', '-a', false],
    ['environment', '', false],
    ['environment', 'a\n', false],
    ['environment', 'ä', false],
    ['flow', 'a~1', true],
    ['flow', 'a/b', false],
    ['trail', 'foo?$bar', false],
    ['fingerprint', 'a'.repeat(64), true],
    ['fingerprint', 'A'.repeat(64), false],
    ['fingerprint', 'a'.repeat(65), false],
    ['gitCommit', 'a'.repeat(40), true],
    ['gitCommit', 'a'.repeat(64), true],
    ['gitCommit', 'a'.repeat(39), false],
    ['gitCommit', 'a'.repeat(41), false],
    ['gitCommit', 'a'.repeat(65), false],
    ['annotationKey', 'a_1', true],
    ['annotationKey', 'a-1', true],
    ['annotationKey', 'a.1', false],
  ])('%s: %j is %s', (name, value, taken) => {
    expect(PATTERNS[name].matches(value)).toBe(taken);
  });

  it('are spelled in messages as clients know them', () => {
    expect(patternMessage(PATTERNS.flow, 'foo bar')).toBe(
      "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_~]*$' [input: foo bar]",
    );
  });
});

describe('an echoed value', () => {
  it.each([
    ['text', 'text'],
    [{ a: 1 }, '{"a":1}'],
    [null, 'null'],
    [undefined, 'nothing'],
    ['x'.repeat(101), 'x'.repeat(100)],
    ['😀'.repeat(101), '😀'.repeat(100)],
  ])('%j', (value, text) => {
    expect(echo(value)).toBe(text);
  });
});
