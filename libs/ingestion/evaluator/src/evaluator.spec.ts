import fc from 'fast-check';
import { Evaluator, EvaluatorBusy } from './evaluator';
import { isDeeper, readSchema, SCHEMA_BYTES_MAX } from './read-schema';

const evaluator = new Evaluator({ timeMs: 2_000 });
afterAll(() => evaluator.close());

const ORG = 'acme';
const check = (schema: unknown, ...programs: string[]) =>
  evaluator.check(ORG, schema === null ? null : JSON.stringify(schema), programs);
const evaluate = (demands: { schema?: unknown; rules?: string[] }, data: unknown, owner = ORG) =>
  evaluator.evaluate(
    owner,
    { schema: demands.schema === undefined ? null : JSON.stringify(demands.schema), rules: demands.rules ?? [] },
    JSON.stringify(data),
  );
const D7 = 'http://json-schema.org/draft-07/schema#';
const D2020 = 'https://json-schema.org/draft/2020-12/schema';

describe('rules', () => {
  const data = { coverage: 81, high: 0, names: ['a', 'b'] };
  it.each([
    ['.coverage >= 80', true],
    ['.coverage > 81', false],
    ['.high == 0 # none', true],
    ['def least: 80; .coverage > least', true],
    ['.names[] | length == 1', true],
    ['.names[] == "a"', false],
    ['.coverage', false],
    ['null', false],
    ['empty', false],
    ['.coverage.deep', false],
    ['error("no")', false],
    ['input', false],
    ['-.coverage < 0', true],
    ['env | has("PATH") and .PATH != "/"', false],
    ['"x" | halt_error', null],
  ])('%s', async (rule, held) => {
    const said = await evaluate({ rules: [rule] }, data);
    expect(said).toEqual(held === null ? { kind: 'exceeded', what: 0 } : { kind: 'fit', held: [held] });
  });

  it('are all looked at, in their order; without any, all data is fit', async () => {
    expect(await evaluate({ rules: ['true', 'false', 'true'] }, {})).toEqual({
      kind: 'fit',
      held: [true, false, true],
    });
    expect(await evaluate({}, null)).toEqual({ kind: 'fit', held: [] });
  });

  it('are compiled and not run when they are checked', async () => {
    expect(await check(null, '.a', 'def f: f; f', 'error("x")', 'halt_error')).toEqual({
      kind: 'checked',
      problems: [],
    });
  });

  it.each(['.a |', '.a)', 'nothing', '-f /etc/passwd', '--help', 'import "a" as a; 1', '1; 2', ') , (1'])(
    'cannot be %s',
    async (program) => {
      const said = await check(null, 'true', program);
      expect(said).toMatchObject({ kind: 'checked', problems: [{ what: 1 }] });
      if (said.kind === 'checked') expect(said.problems[0]?.text.length).toBeGreaterThan(5);
    },
  );
});

describe('schemas', () => {
  const coverage = { type: 'object', required: ['coverage'], properties: { coverage: { type: 'integer' } } };

  it.each([
    ['of draft 7', { $schema: D7, ...coverage }],
    ['of 2020-12', { $schema: D2020, ...coverage }],
    ['that name no draft', coverage],
    ['with an id', { $id: 'https://example.com/coverage', ...coverage }],
  ])('%s describe data', async (_, schema) => {
    expect(await check(schema)).toEqual({ kind: 'checked', problems: [] });
    expect(await evaluate({ schema }, { coverage: 81 })).toEqual({ kind: 'fit', held: [] });
    expect(await evaluate({ schema, rules: ['true'] }, { coverage: 'x' })).toEqual({
      kind: 'unfit',
      at: '/coverage',
      text: 'must be integer',
    });
    expect(await evaluate({ schema }, null)).toMatchObject({ kind: 'unfit', at: '' });
  });

  it('keep several patterns apart', async () => {
    const properties = { a: { pattern: '^a$' }, b: { pattern: '^b$' } };
    const schema = { properties, patternProperties: { '^n': { type: 'number' } } };
    expect(await evaluate({ schema }, { a: 'a', b: 'b', n1: 1, s: 'x' })).toMatchObject({ kind: 'fit' });
    for (const data of [{ a: 'b' }, { b: 'a' }, { n1: 'x' }]) {
      expect(await evaluate({ schema }, data)).toMatchObject({ kind: 'unfit' });
    }
  });

  it('are read as their draft has it', async () => {
    const tuple = { prefixItems: [{ type: 'string' }], items: false };
    expect(await evaluate({ schema: { $schema: D2020, ...tuple } }, ['a', 'b'])).toMatchObject({ kind: 'unfit' });
    const old = { $schema: D7, items: [{ type: 'string' }], additionalItems: false };
    expect(await evaluate({ schema: old }, ['a', 'b'])).toMatchObject({ kind: 'unfit' });
    expect(await evaluate({ schema: { type: 'string', format: 'date-time' } }, 'no')).toMatchObject({ kind: 'unfit' });
  });

  it.each([
    ['of a draft that is not known', { $schema: 'http://json-schema.org/draft-04/schema#' }],
    ['that are no schemas', { type: 'strange' }],
    ['that refer to elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['that refer to a file', { $ref: 'file:///etc/passwd' }],
    ['with a pattern that is none', { pattern: '(' }],
    ['with a pattern that cannot be matched in linear time', { pattern: '(a)\\1' }],
  ])('cannot be those %s', async (_, schema) => {
    expect(await check(schema)).toMatchObject({ kind: 'checked', problems: [{ what: 'schema' }] });
  });

  it('are read from bytes with a bound, and kept with their keys sorted', () => {
    expect(readSchema(Buffer.from('{ "b": 1, "a": {} }'))).toEqual({ ok: true, value: '{"a":{},"b":1}' });
    for (const text of ['', '{', '[]', 'null', '"x"', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`, '{"a":1e400}']) {
      expect(readSchema(Buffer.from(text)).ok).toBe(false);
    }
    expect(readSchema(Buffer.from([0x7b, 0xff, 0x7d])).ok).toBe(false);
    expect(readSchema(Buffer.alloc(SCHEMA_BYTES_MAX + 1, 0x20)).ok).toBe(false);
    expect([isDeeper({ a: [1] }, 3), isDeeper({ a: [1] }, 2)]).toEqual([false, true]);
  });
});

describe('what is hostile', () => {
  it.each([
    ['loops', 'def f: f; f'],
    ['takes memory', '[range(1e9)]'],
    ['takes more of it', 'def f: [f, f]; f'],
    ['makes long texts', '"x" * 1000000000'],
    ['yields without end', 'range(1e18) | select(. < 0)'],
  ])('%s, is ended and named, and what comes next is answered', async (_, rule) => {
    const said = await evaluate({ rules: ['true', rule] }, {});
    expect([
      { kind: 'exceeded', what: 1 },
      { kind: 'fit', held: [true, false] },
    ]).toContainEqual(said);
    expect(await evaluate({ rules: ['true'] }, {})).toEqual({ kind: 'fit', held: [true] });
  });

  it('blocks nobody else', async () => {
    const order: string[] = [];
    const hostile = Array.from({ length: 3 }, () =>
      evaluate({ rules: ['def f: f; f'] }, {}, 'eve').then(({ kind }) => order.push(kind)),
    );
    await evaluate({ rules: ['true'] }, {}, 'ada').then(({ kind }) => order.push(kind));
    await Promise.all(hostile);
    expect(order.filter((kind) => kind === 'exceeded')).toHaveLength(3);
    expect(order.indexOf('fit')).toBeLessThan(2);
  }, 30_000);

  it('is matched in linear time', async () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    expect(await evaluate({ schema }, `${'a'.repeat(50_000)}!`)).toMatchObject({ kind: 'unfit' });
  });

  it('refers to itself for ever', async () => {
    const said = await evaluate({ schema: { $ref: '#' } }, {});
    expect(['exceeded', 'unfit']).toContain(said.kind);
  });

  it('waits in a bounded line', async () => {
    const own = new Evaluator({ timeMs: 50, threads: 1 });
    const all = Array.from({ length: 60 }, () => own.evaluate('eve', { schema: null, rules: ['def f: f; f'] }, '{}'));
    const settled = Promise.allSettled(all);
    await own.close();
    const refused = (await settled).filter((one) => one.status === 'rejected' && one.reason instanceof EvaluatorBusy);
    expect(refused.length).toBeGreaterThanOrEqual(9);
  });
});

describe('whatever is sent', () => {
  it('ends in an answer', async () => {
    const words = fc.constantFrom(
      '.',
      '[',
      ']',
      '(',
      ')',
      '|',
      ',',
      'def f:',
      ';',
      '"',
      '\\(',
      'if',
      'then',
      'end',
      '#',
      '\n',
      '-',
      '1',
      'a',
      '$__loc__',
      '@json',
      '?',
      '//',
      'reduce',
      'as $x',
    );
    const programs = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.array(words, { maxLength: 12 }).map((all) => all.join('')),
    );
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const said = await check(null, program);
        expect(said.kind).toBe('checked');
        if (said.kind === 'checked' && said.problems.length > 0) return;
        expect(['fit', 'exceeded']).toContain((await evaluate({ rules: [program] }, { a: 1 })).kind);
      }),
      { numRuns: 60 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom('type', 'items', '$ref', 'pattern', 'enum', 'not', 'anyOf', '$id', 'format'),
          fc.jsonValue(),
        ),
        async (schema) => {
          expect((await check(schema)).kind).toBe('checked');
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});
