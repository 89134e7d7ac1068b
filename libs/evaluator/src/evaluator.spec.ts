import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { PolicyRules } from '@assurance/contracts/policies/events';
import { Busy, OrganizationBusy } from '@assurance/kernel';
import { Evaluator } from './evaluator';
import { isDeeper, readSchema, SCHEMA_BYTES_MAX } from './read-schema';

const evaluator = new Evaluator({ timeMs: 800 });
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
const D4 = 'http://json-schema.org/draft-04/schema#';
const D6 = 'http://json-schema.org/draft-06/schema#';
const D2019 = 'https://json-schema.org/draft/2019-09/schema';
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
  ])('%s', async (rule, isTrue) => {
    const result = await evaluate({ rules: [rule] }, data);
    expect(result).toEqual(isTrue === null ? { kind: 'exceeded', what: 0 } : { kind: 'fit', verdicts: [isTrue] });
  });

  it('are all looked at, in their order; without any, all data is fit', async () => {
    expect(await evaluate({ rules: ['true', 'false', 'true'] }, {})).toEqual({
      kind: 'fit',
      verdicts: [true, false, true],
    });
    expect(await evaluate({}, null)).toEqual({ kind: 'fit', verdicts: [] });
  });

  it.each([
    ['a long text', { blob: 'x'.repeat(1024 * 1024), coverage: 90 }],
    ['many values', { list: Array.from({ length: 40_000 }, (_, at) => ({ at, name: 'a component' })), coverage: 90 }],
  ])('take linear time: many of them on 1 MiB of %s keep within the budget of one', async (_, large) => {
    expect(JSON.stringify(large).length).toBeGreaterThan(1024 * 1024);
    const rules = Array.from({ length: 4 }, () => '.coverage >= 80');
    expect(await evaluate({ rules }, large)).toEqual({ kind: 'fit', verdicts: [true, true, true, true] });
  });

  it('compare numbers that no double holds by their digits', async () => {
    const result = await evaluator.evaluate(
      ORG,
      { schema: null, rules: ['.id == 9007199254740993', '.id == 9007199254740992', '.large > 1e399'] },
      '{"id":9007199254740993,"large":1e400}',
    );
    expect(result).toEqual({ kind: 'fit', verdicts: [true, false, true] });
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
      const fields = await check(null, 'true', program);
      expect(fields).toMatchObject({ kind: 'checked', problems: [{ what: 1 }] });
      if (fields.kind === 'checked') expect(fields.problems[0]?.text.length).toBeGreaterThan(5);
    },
  );
});

describe('schemas', () => {
  const coverage = { type: 'object', required: ['coverage'], properties: { coverage: { type: 'integer' } } };

  it.each([
    ['of draft 4', { $schema: D4, ...coverage }],
    ['of draft 6', { $schema: D6, ...coverage }],
    ['of draft 7', { $schema: D7, ...coverage }],
    ['of 2019-09', { $schema: D2019, ...coverage }],
    ['of 2020-12', { $schema: D2020, ...coverage }],
    ['that name no draft', coverage],
    ['with an id', { $id: 'https://example.com/coverage', ...coverage }],
  ])('%s describe data', async (_, schema) => {
    expect(await check(schema)).toEqual({ kind: 'checked', problems: [] });
    expect(await evaluate({ schema }, { coverage: 81 })).toEqual({ kind: 'fit', verdicts: [] });
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
    ['an exclusive limit of draft 4', { $schema: D4, minimum: 80, exclusiveMinimum: true }, 81, 80],
    ['a limit of draft 4 that is not exclusive', { $schema: D4, maximum: 80, exclusiveMaximum: false }, 80, 81],
    [
      'an id of draft 4',
      {
        $schema: D4,
        id: 'https://example.com/a',
        properties: { id: { $ref: 'b#/definitions/c' } },
        definitions: { b: { id: 'https://example.com/b', definitions: { c: { type: 'string' } } } },
      },
      { id: 'x' },
      { id: 1 },
    ],
    ['limits of draft 6', { $schema: D6, exclusiveMinimum: 80, propertyNames: { maxLength: 1 } }, 81, 80],
    ['what depends, of 2019-09', { $schema: D2019, dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
  ])('know %s', async (_, schema, fits, unfit) => {
    expect(await evaluate({ schema }, fits)).toMatchObject({ kind: 'fit' });
    expect(await evaluate({ schema }, unfit)).toMatchObject({ kind: 'unfit' });
  });

  it('ignore what their draft does not know', async () => {
    const later = { const: 1, if: true, then: false };
    expect(await evaluate({ schema: { $schema: D4, ...later } }, 2)).toMatchObject({ kind: 'fit' });
    expect(await evaluate({ schema: { $schema: D6, if: true, then: false } }, 2)).toMatchObject({ kind: 'fit' });
    expect(await evaluate({ schema: { $schema: D7, if: true, then: false } }, 2)).toMatchObject({ kind: 'unfit' });
  });

  it.each([D4, D7, D2020])('of %s that refer to another say what to do, and do so', async ($schema) => {
    const referring = { $schema, properties: { licence: { $ref: 'spdx.schema.json' } } };
    const fields = await check(referring);
    expect(fields).toMatchObject({
      problems: [{ text: expect.stringMatching(/^\$ref 'spdx.*under \$defs/) as string }],
    });
    const id = { [$schema === D4 ? 'id' : '$id']: 'spdx.schema.json', enum: ['MIT'] };
    const own = { [$schema === D2020 ? '$defs' : 'definitions']: { spdx: id } };
    expect(await evaluate({ schema: { ...referring, ...own } }, { licence: 'MIT' })).toMatchObject({ kind: 'fit' });
    expect(await evaluate({ schema: { ...referring, ...own } }, { licence: 'X' })).toMatchObject({ kind: 'unfit' });
  });

  it('of almost 1 MiB are compiled', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 6_000 }, (_, i) => [
        `field${i}`,
        { type: ['string', 'null'], title: `The ${i}th field`, description: 'Some words of its meaning. '.repeat(3) },
      ]),
    );
    const schema = { $schema: D7, type: 'object', properties };
    expect(JSON.stringify(schema).length).toBeGreaterThan(900_000);
    const own = new Evaluator();
    expect(await own.check(ORG, JSON.stringify(schema), [])).toEqual({ kind: 'checked', problems: [] });
    await own.close();
  });

  it.each([
    ['of a draft that is not known', { $schema: 'http://json-schema.org/draft-03/schema#' }],
    ['of draft 4 with a limit of a later draft', { $schema: D4, exclusiveMinimum: 0 }],
    ['that are no schemas', { type: 'strange' }],
    ['that refer to elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['that refer to a file', { $ref: 'file:///etc/passwd' }],
    ['with a pattern that is none', { pattern: '(' }],
    ['with a pattern that cannot be matched in linear time', { pattern: '(a)\\1' }],
    ['that answer later', { $async: true, type: 'object' }],
    ['that answer later somewhere in them', { properties: { a: { anyOf: [{ $async: true }] } } }],
    ['that depend on the data', { properties: { a: { maximum: { $data: '1/b' } } } }],
  ])('cannot be those %s', async (_, schema) => {
    expect(await check(schema)).toMatchObject({ kind: 'checked', problems: [{ what: 'schema' }] });
  });

  it('may name members and hold data as they like', async () => {
    const schema = { properties: { $async: { const: { $async: true } } }, enum: [{ $async: { $async: true } }] };
    expect(await check(schema)).toEqual({ kind: 'checked', problems: [] });
    expect(await evaluate({ schema }, { $async: { $async: true } })).toEqual({ kind: 'fit', verdicts: [] });
  });

  it('with $async that were stored earlier are named, and do not affect others', async () => {
    const own = new Evaluator({ threads: 1 });
    const request = { schema: JSON.stringify({ $async: true, required: ['a'] }), rules: [] };
    const plain = { schema: JSON.stringify({ required: ['a'] }), rules: [] };
    for (const data of ['{}', '{"a":1}']) {
      const [eve, ada] = await Promise.all([own.evaluate('eve', request, data), own.evaluate('ada', plain, '{"a":1}')]);
      expect(eve).toMatchObject({ kind: 'unfit', text: expect.stringContaining('$async') as string });
      expect(ada).toEqual({ kind: 'fit', verdicts: [] });
    }
    await own.close();
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
  const loop = { schema: null, rules: ['def f: f; f'] };
  const isFlooded = (settledResult: PromiseSettledResult<unknown>) =>
    settledResult.status === 'rejected' &&
    settledResult.reason instanceof OrganizationBusy &&
    settledResult.reason.seconds >= 1;

  it.each([
    ['loops', 'def f: f; f'],
    ['takes memory', '[range(1e9)]'],
    ['takes more of it', 'def f: [f, f]; f'],
    ['makes long texts', '"x" * 1000000000'],
    ['yields without end', 'range(1e18) | select(. < 0)'],
  ])('%s, is ended and named, and what comes next is answered', async (_, rule) => {
    const result = await evaluate({ rules: ['true', rule] }, {});
    expect([
      { kind: 'exceeded', what: 1 },
      { kind: 'fit', verdicts: [true, false] },
    ]).toContainEqual(result);
    expect(await evaluate({ rules: ['true'] }, {})).toEqual({ kind: 'fit', verdicts: [true] });
  });

  it('blocks nobody else', async () => {
    const own = new Evaluator({ timeMs: 500 });
    const order: string[] = [];
    const ask = (owner: string, rule: string) =>
      own.evaluate(owner, { schema: null, rules: [rule] }, '{}').then(({ kind }) => order.push(kind));
    const hostile = Array.from({ length: 3 }, () => ask('eve', 'def f: f; f'));
    await ask('ada', 'true');
    await Promise.all(hostile);
    await own.close();
    expect(order.filter((kind) => kind === 'exceeded')).toHaveLength(3);
    expect(order.indexOf('fit')).toBeLessThan(2);
    // On a busy machine, each hostile job may wait twice for ten times its limit, one job after the other.
  }, 60_000);

  it('runs in a thread that gives way to all others of the machine', async () => {
    // The nice value is the 19th field. The second field may contain blanks, and ends with the last parenthesis.
    const nicenessOf = (task: string) =>
      Number(
        readFileSync(`/proc/self/task/${task}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[16],
      );
    const before = nicenessOf(String(process.pid));
    await evaluate({ rules: ['true'] }, {});
    const all = readdirSync('/proc/self/task').map(nicenessOf);
    expect(Math.max(...all)).toBe(before + 5);
    expect(nicenessOf(String(process.pid))).toBe(before);
  });

  it('gives way also in a process that gives way itself', () => {
    const program = `
      const { Evaluator } = require(${JSON.stringify(join(__dirname, '../dist/index.js'))});
      const { readdirSync, readFileSync } = require('node:fs');
      const evaluator = new Evaluator({ timeMs: 30_000, threads: 1 });
      evaluator.evaluate('ada', { schema: null, rules: ['true'] }, '{}').then(async ({ kind }) => {
        const values = readdirSync('/proc/self/task').map((task) =>
          Number(readFileSync('/proc/self/task/' + task + '/stat', 'utf8').replace(/^.*\\) /s, '').split(' ')[16]),
        );
        process.stdout.write(JSON.stringify({ kind, by: Math.max(...values) - require('node:os').getPriority() }));
        await evaluator.close();
      });`;
    const output = execFileSync('nice', ['-n', '7', process.execPath, '-e', program], { encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual({ kind: 'fit', by: 5 });
  });

  it('is matched in linear time', async () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    expect(await evaluate({ schema }, `${'a'.repeat(50_000)}!`)).toMatchObject({ kind: 'unfit' });
  });

  it('ends although it refers to itself', async () => {
    const result = await evaluate({ schema: { $ref: '#' } }, {});
    expect(['exceeded', 'unfit']).toContain(result.kind);
  });

  it('waits in a bounded line, which is shorter for an owner of long jobs, while others are accepted', async () => {
    const own = new Evaluator({ timeMs: 300, threads: 1 });
    const some = Array.from({ length: 250 }, () => own.evaluate('eve', { schema: null, rules: ['true'] }, '{}'));
    expect((await Promise.allSettled(some)).filter(isFlooded).length).toBeGreaterThanOrEqual(40);
    for (let i = 0; i < 4; i += 1) await own.evaluate('eve', loop, '{}');
    const all = Promise.allSettled(Array.from({ length: 200 }, () => own.evaluate('eve', loop, '{}')));
    expect(await own.evaluate('ada', { schema: null, rules: ['true'] }, '{}')).toEqual({
      kind: 'fit',
      verdicts: [true],
    });
    await own.close();
    expect((await all).filter(isFlooded).length).toBeGreaterThanOrEqual(100);
  });

  it('is refused where its line turns out to be too long, the newest first', async () => {
    const own = new Evaluator({ timeMs: 1_000, threads: 1 });
    const sent = Array.from({ length: 150 }, () => own.evaluate('eve', loop, '{}'));
    const all = Promise.allSettled(sent);
    // Three jobs show that the line takes more than a minute.
    expect(await sent[2]).toEqual({ kind: 'exceeded', what: 0 });
    await own.close();
    const refused = (await all).map(isFlooded);
    expect(refused.indexOf(true)).toBeLessThan(100);
    expect(refused.slice(refused.indexOf(true))).not.toContain(false);
  }, 30_000);

  it('gives its thread to waiting jobs, even within its time limit', async () => {
    const own = new Evaluator({ timeMs: 20_000, shareMs: 100, threads: 1 });
    // At first, the waiting owner has used more than the running owner.
    await own.evaluate('ada', { schema: null, rules: ['[range(500000)] | length > 0'] }, '{}');
    const loop = own.evaluate('eve', { schema: null, rules: ['def f: f; f'] }, '{}').catch(() => 'ended');
    for (let i = 0; i < 2; i += 1) {
      const result = await own.evaluate('ada', { schema: null, rules: ['true'] }, '{}');
      expect(result).toEqual({ kind: 'fit', verdicts: [true] });
    }
    await own.close();
    await loop;
  }, 20_000);

  it('is distinguished from work that only lacks a processor', async () => {
    // These processes have the same nice value as the thread of a job, so that they do not slow down other work.
    const busy = ['-n', '5', 'sh', '-c', 'while :; do :; done'];
    const others = Array.from({ length: 8 * availableParallelism() }, () => spawn('nice', busy));
    const own = new Evaluator({ timeMs: 15_000, threads: 1 });
    try {
      const eve = own.evaluate('eve', { schema: '{"type":"object"}', rules: ['[range(5000)] | length > 0'] }, '{}');
      let isAnswered = false;
      void eve.finally(() => (isAnswered = true));
      while (!isAnswered) await own.evaluate('ada', { schema: null, rules: ['true'] }, '{}');
      expect(await eve).toEqual({ kind: 'fit', verdicts: [true] });
    } finally {
      for (const other of others) other.kill('SIGKILL');
      await own.close();
    }
  }, 120_000);

  it('is not repeated once it used up its own time', async () => {
    const own = new Evaluator({ timeMs: 2_000, threads: 1 });
    // The processor time of all threads. Two runs would take at least 4 s. A starved job is restarted, so the best of three tries counts.
    let least = Infinity;
    for (let tries = 0; tries < 3 && least >= 3_900; tries += 1) {
      await own.evaluate('eve', { schema: null, rules: ['true'] }, '{}');
      const began = process.cpuUsage();
      const result = await own.evaluate('eve', { schema: null, rules: ['def f: f; f'] }, '{}');
      const { user, system } = process.cpuUsage(began);
      expect(result).toEqual({ kind: 'exceeded', what: 0 });
      least = Math.min(least, (user + system) / 1_000);
    }
    await own.close();
    expect(least).toBeLessThan(3_900);
  });

  it('ends in a thread that no other organization gets, so that it cannot change answers for others', async () => {
    const own = new Evaluator({ timeMs: 1_000, threads: 1 });
    const ada = () => own.evaluate('ada', { schema: null, rules: ['.a == 1'] }, '{"a":1}');
    const answers = [];
    for (const rule of ['"x" | halt_error', 'def f: f; f', '[range(1e9)]']) {
      const eve = own.evaluate('eve', { schema: null, rules: ['true', rule] }, '{}');
      answers.push(await ada(), await ada());
      expect(await eve).toMatchObject(rule.startsWith('[') ? {} : { kind: 'exceeded', what: 1 });
    }
    expect(answers).toEqual(answers.map(() => ({ kind: 'fit', verdicts: [true] })));
    await own.close();
  }, 30_000);
});

describe('files', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  it('are read as what they should be', async () => {
    const yaml = '_schema: https://example.com/schemas/policy/v1\nartifacts: {provenance: {required: true}}\n';
    expect(await evaluator.readYaml(ORG, 'policy', bytes(yaml))).toMatchObject({
      value: { yaml, rules: { provenance: { required: true, exceptions: [] } } },
    });
    expect(await evaluator.readYaml(ORG, 'template', bytes('version: 1\n'))).toMatchObject({ ok: true });
    expect(await evaluator.readYaml(ORG, 'template', bytes(yaml))).toMatchObject({ ok: false });
  });

  it('that take too long are refused, and hold up nobody', async () => {
    const own = new Evaluator({ timeMs: 300, threads: 2 });
    const keys = bytes(Array.from({ length: 17_000 }, (_, i) => `${i.toString(36)}:`).join('\n')).slice(0, 64 * 1024);
    const read = own.readYaml('eve', 'policy', keys);
    let longest = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const fields = await read;
    clearInterval(timer);
    expect(fields).toMatchObject({ ok: false });
    expect(longest).toBeLessThan(1_000);
    await own.close();
  }, 30_000);
});

describe('artifacts', () => {
  const rulesWith = (expressions: readonly string[]): PolicyRules => ({
    provenance: { required: false, exceptions: [] },
    trailCompliance: { required: false, exceptions: [] },
    attestations: expressions.map((text) => ({
      if: text,
      name: 'unit-tests',
      type: 'junit',
      mustBeCompliant: true,
      forControl: null,
    })),
  });
  const standards = (count: number, rules: PolicyRules) => ({
    policies: Array.from({ length: count }, (_, i) => ({ id: `p${i}`, name: `strict-${i}`, version: 1, rules })),
    requireProvenance: false,
  });
  const artifacts = (count: number, name = 'web') =>
    Array.from({ length: count }, (_, i) => ({
      artifact: { fingerprint: 'f'.repeat(60) + i, name: `${name}:${i}` },
      evidence: [],
      allowed: i === 1,
    }));

  it('are judged in threads, in their order, and share what came to the same', async () => {
    const verdicts = await evaluator.judge(ORG, standards(3, rulesWith(['artifact.name == "web:2"'])), artifacts(500));
    expect(verdicts.map(({ compliant }) => compliant)).toEqual(artifacts(500).map((_, i) => i !== 2));
    expect(verdicts[2]?.reasons).toHaveLength(3);
    expect(verdicts[499]?.policies).toBe(verdicts[0]?.policies);
  });

  it('beyond the budget of one judging are not judged: non-compliant, with a reason', async () => {
    const many = rulesWith(Array.from({ length: 200 }, (_, i) => `matches(artifact.name, "^(a|b|ab)*x${i}$")`));
    const verdicts = await evaluator.judge(ORG, standards(100, many), artifacts(1_000, 'a'.repeat(400)));
    expect(verdicts).toHaveLength(1_000);
    const last = verdicts.at(-1);
    expect(last).toMatchObject({ compliant: false, reasons: [expect.stringMatching(/^not judged: /)] });
    expect(last?.policies).toHaveLength(100);
    expect(last?.policies.some(({ compliant }) => compliant)).toBe(false);
    // An artifact on the allow-list needs no verdict.
    expect(verdicts[1]).toMatchObject({ compliant: true, allowed: true, reasons: [] });
  }, 60_000);

  it('whose rules outlast every thread are not judged', async () => {
    // A slice with so many rules always takes more than a millisecond.
    const own = new Evaluator({ timeMs: 1 });
    const slow = rulesWith(Array.from({ length: 100 }, (_, i) => `matches(artifact.name, "(a+)+${i}$")`));
    const verdicts = await own.judge(ORG, standards(5, slow), artifacts(3, 'a'.repeat(500)));
    expect(verdicts[0]?.reasons).toEqual([expect.stringMatching(/^not judged: .*time/)]);
    await own.close();
  }, 30_000);

  it('of many different outcomes are judged as far as may be kept', async () => {
    const rules = rulesWith(Array.from({ length: 20 }, (_, i) => `matches(artifact.name, "[${i}][0-9]?$")`));
    const verdicts = await evaluator.judge(ORG, standards(100, rules), artifacts(1_000));
    const text = JSON.stringify([...new Set(verdicts.map(({ policies }) => policies))]);
    expect(text.length).toBeLessThan(10 * 1024 * 1024);
  }, 60_000);
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
        const fields = await check(null, program);
        expect(fields.kind).toBe('checked');
        if (fields.kind === 'checked' && fields.problems.length > 0) return;
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

describe('an evaluator that is closed', () => {
  it('fails waiting and running jobs, and reports no job as too slow', async () => {
    const own = new Evaluator({ timeMs: 60_000, threads: 2 });
    const rule = (owner: string, text: string) => own.evaluate(owner, { schema: null, rules: [text] }, '{}');
    // On a busy machine, some endless jobs may have used their share and ended before the short job gets a thread.
    const ended = new Set<string>();
    const owners = ['a', 'b', 'c', 'd'];
    const endless = owners.map((owner) => rule(owner, 'def f: f; f').finally(() => ended.add(owner)));
    const ends = Promise.allSettled(endless);
    // The endless jobs give way to the short one. After its answer, some of them have a thread, some wait for a starting thread, some are queued.
    expect(await rule('e', 'true')).toEqual({ kind: 'fit', verdicts: [true] });
    const left = owners.map((owner) => !ended.has(owner));
    await own.close();
    const failed = (await ends).filter((_, i) => left[i]);
    expect(failed.length).toBeGreaterThan(0);
    for (const end of failed) expect(end).toMatchObject({ status: 'rejected', reason: expect.any(Busy) });
  }, 30_000);
});
