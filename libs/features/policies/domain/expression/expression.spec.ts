import fc from 'fast-check';
import { codePoint } from '@assurance/testing/code-point';
import { type Condition, type Literal, type Operand, OPERATORS } from './ast';
import { evaluate, type Subject } from './evaluate';
import { DEPTH_MAX, EXPRESSION_MAX, parseExpression, unwrapExpression } from './parse';
import { printExpression } from './print';

const fingerprint = 'c0ffee00'.repeat(8);
const subject: Subject = {
  artifact: { name: 'ghcr.io/acme/web:1.4', fingerprint },
  flow: { name: 'web-ci', tags: { kind: 'build', level: '3', 'risk.level-x': 'high' } },
};

function holds(text: string, of: Subject = subject): boolean | null {
  const read = parseExpression(text);
  if (!read.ok) throw new Error(`${read.refusal.text} at ${read.refusal.at}`);
  return evaluate(read.value, of);
}

describe('an expression', () => {
  it.each([
    ['flow.name == "web-ci"', true],
    ["flow.name == 'web-ci'", true],
    ['flow.name != "web-ci"', false],
    ['flow.tags.kind == "build"', true],
    ['flow.tags.risk.level-x == "high"', true],
    ['flow.tags.absent == null', true],
    ['flow.tags.absent != "build"', true],
    ['flow.tags.constructor == null', true],
    ['exists(flow.tags.kind)', true],
    ['exists(flow.tags.absent)', false],
    ['not exists(flow.tags.absent)', true],
    ['artifact.fingerprint != "c0ffee00"', true],
    ['matches(artifact.name, "^ghcr\\.io/")', true],
    ['matches(artifact.name, "acme")', true],
    ['matches(artifact.name, "^acme")', false],
    ['matches(flow.tags.absent, ".*")', false],
    ['flow.name in ["api-ci", "web-ci"]', true],
    ['flow.name in []', false],
    ['flow.name not in ["api-ci"]', true],
    ['flow.tags.absent in [null]', true],
    ['flow.tags.level >= 3', true],
    ['flow.tags.level < 10', true],
    ['flow.tags.level < "10"', false],
    ['flow.tags.level == 3.0', true],
    ['flow.tags.kind > 3', false],
    ['flow.tags.kind == true', false],
    ['"a" < "b"', true],
    ['null <= null', true],
    ['null < "a"', false],
    ['true', true],
    ['not true', false],
    ['true or false and false', true],
    ['(true or false) and false', false],
    ['not true or true', true],
    ['not (true or true)', false],
    ['not not true', true],
  ])('%s is %s', (text, expected) => {
    expect(holds(text)).toBe(expected);
  });

  it.each([
    ['flow.name == "web-ci"', null],
    ['flow.tags.kind != "build"', null],
    ['not exists(flow.tags.kind)', null],
    ['matches(artifact.name, "acme") or flow.name == "x"', true],
    ['flow.name == "x" or matches(artifact.name, "acme")', true],
    ['flow.name == "x" and artifact.name == "y"', false],
    ['flow.name == "x" and matches(artifact.name, "acme")', null],
  ])('%s is %s where no flow is known', (text, expected) => {
    expect(holds(text, { ...subject, flow: null })).toBe(expected);
  });

  it.each([
    ['', 0, 'A value is expected here'],
    ['flow.name', 9, 'A comparison is expected here'],
    ['flow.name = "a"', 10, "'=' has no meaning here"],
    ['flow.name == ', 13, 'A value is expected here'],
    ['flow.name == "a', 13, 'This text has no end'],
    ['flow.nam == "a"', 0, 'Values are flow.name'],
    ['flow.tags. == "a"', 0, 'Values are flow.name'],
    ['1 < 2 < 3', 6, 'Comparisons cannot be chained'],
    ['true false', 5, 'The expression should end here'],
    ['(true', 5, "')' is expected here"],
    ['flow.name in "a"', 13, "'[' is expected here"],
    ['flow.name in [flow.name]', 14, 'A list holds'],
    ['matches(flow.name, "(")', 19, 'This is no regular expression'],
    ['matches(flow.name, "(?=a)")', 19, 'This is no regular expression'],
    ['matches(flow.name, flow.name)', 19, 'A regular expression in quotes'],
    ['exists flow.name', 7, "'(' is expected here"],
    ['__import__("os")', 0, "'_' has no meaning here"],
    ['flow.name not == "a"', 14, "'in' is expected here"],
    ['matches(flow.name, "a{900}b{900}c{900}")', 19, 'repeats too much'],
  ])('%s is refused at %d: %s', (text, at, problem) => {
    expect(parseExpression(text)).toEqual({ ok: false, refusal: { at, text: expect.stringContaining(problem) } });
  });

  it.each([
    ['long', `flow.name == "${'x'.repeat(EXPRESSION_MAX)}"`, EXPRESSION_MAX, 'at most'],
    ['deep in brackets', `${'('.repeat(DEPTH_MAX + 1)}true`, DEPTH_MAX + 1, 'nested at most'],
    ['often negated', `${'not '.repeat(DEPTH_MAX + 1)}true`, 4 * (DEPTH_MAX + 1), 'nested at most'],
  ])('that is too %s is refused', (_, text, at, problem) => {
    expect(parseExpression(text)).toEqual({ ok: false, refusal: { at, text: expect.stringContaining(problem) } });
  });

  it('may be a long chain', () => {
    expect(holds(Array.from({ length: 200 }, () => 'flow.name == "a"').join(' or '))).toBe(false);
  });

  it.each([
    ['${{ flow.name == "a" }}', 'flow.name == "a"'],
    ['  ${{flow.name == "a"}} ', 'flow.name == "a"'],
    ['flow.name == "a"', 'flow.name == "a"'],
    ['${{ }', '${{ }'],
    ['${{}}', ''],
  ])('%s without its wrapper', (text, bare) => {
    expect(unwrapExpression(text)).toBe(bare);
  });

  it('takes time in proportion to the text for patterns that others take for ever for', () => {
    const name = 'a'.repeat(50_000);
    expect(holds('matches(artifact.name, "(a+)+$b")', { ...subject, artifact: { name, fingerprint } })).toBe(false);
  });
});

const literal: fc.Arbitrary<Literal> = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 20 }),
  fc.integer({ min: -1000, max: 1000 }),
  fc.boolean(),
  fc.constant(null),
);
const operand: fc.Arbitrary<Operand> = fc.oneof(
  literal.map((value): Operand => ({ kind: 'literal', value })),
  fc.constantFrom<Operand>(
    { kind: 'path', path: { of: 'flow', field: 'name' } },
    { kind: 'path', path: { of: 'flow', field: 'tags', key: 'risk.level-x' } },
    { kind: 'path', path: { of: 'artifact', field: 'name' } },
    { kind: 'path', path: { of: 'artifact', field: 'fingerprint' } },
  ),
);
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean().map((value): Condition => ({ kind: 'truth', value })),
    fc.record({
      kind: fc.constant('compare' as const),
      operator: fc.constantFrom(...OPERATORS),
      left: operand,
      right: operand,
    }),
    fc.record({ kind: fc.constant('in' as const), item: operand, list: fc.array(literal, { maxLength: 4 }) }),
    fc.record({ kind: fc.constant('exists' as const), value: operand }),
    fc.record({
      kind: fc.constant('matches' as const),
      value: operand,
      pattern: fc.constantFrom('^a', 'b+$', '\\d"\n', ''),
    }),
    fc.record({ kind: fc.constant('not' as const), condition: tie('condition') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('condition'), { minLength: 2, maxLength: 4 }),
    }),
  ),
}));

describe('any expression', () => {
  it('that is printed reads as itself, and has a value', () => {
    fc.assert(
      fc.property(condition, (generated) => {
        const text = printExpression(generated);
        fc.pre(text.length <= EXPRESSION_MAX);
        expect(parseExpression(text)).toEqual({ ok: true, value: generated });
        expect(evaluate(generated, subject)).not.toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it('any text is parsed, or refused at a position inside it', () => {
    const words = fc.array(
      fc.constantFrom(
        'flow.name',
        'flow.tags.a',
        'artifact.name',
        '==',
        '<',
        'and',
        'or',
        'not',
        'in',
        'exists',
        'matches',
        '(',
        ')',
        '[',
        ']',
        ',',
        '"a"',
        "'(a+)+'",
        '1',
        '-2.5',
        'true',
        'null',
        '${{',
        '}}',
        '\\',
        '"',
        '.',
        '😀',
      ),
      { maxLength: 200 },
    );
    const texts = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 300 }),
      words.map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const read = parseExpression(text);
        if (read.ok) evaluate(read.value, subject);
        else {
          expect(read.refusal.at).toBeGreaterThanOrEqual(0);
          expect(read.refusal.at).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
