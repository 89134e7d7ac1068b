import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Evaluator } from '../evaluator';
import type { RegoAnswer } from './evaluate-rego';

const evaluator = new Evaluator();
afterAll(() => evaluator.close());

type Files = Readonly<Record<string, string>>;
const NOW = '1790000000123456789';

/** Evaluates files; one text is a file alone. */
function evaluate(
  sources: string | Files,
  input: unknown = {},
  params: object = {},
  owner = 'acme',
): Promise<RegoAnswer> {
  const files = JSON.stringify(typeof sources === 'string' ? { 'policy.rego': sources } : sources);
  const digest = createHash('sha256').update(files).digest('hex');
  return evaluator.evaluateRego(owner, {
    digest,
    files,
    input: JSON.stringify(input),
    params: JSON.stringify(params),
    time: NOW,
  });
}
const result = (of: object) => ({ kind: 'evaluated', result: JSON.stringify(of) });
const failure = (kind: string, message: string) =>
  expect.objectContaining({ kind, message: expect.stringContaining(message) });
const policy = (text: string, name = 'policy') => `package ${name}\n${text}\n`;
const entry = (rule: string) => `# METADATA\n# entrypoint: true\n${rule}`;

describe('a policy in Rego', () => {
  it('answers whether it allows, with its violations in order', async () => {
    const source = policy(`import rego.v1
default allow := false
allow if count(violations) == 0
violations contains sprintf("%s is %s", [t.trail_name, t.compliance_status]) if {
  some t in input.trails
  t.compliance_status != "COMPLIANT"
}`);
    const trails = ['b', 'a', 'c'].map((trail_name) => ({ trail_name, compliance_status: 'NON-COMPLIANT' }));
    expect(await evaluate(source, { trails })).toEqual(
      result({ allow: false, violations: ['a is NON-COMPLIANT', 'b is NON-COMPLIANT', 'c is NON-COMPLIANT'] }),
    );
    expect(await evaluate(source, { trails: [] })).toEqual(result({ allow: true, violations: [] }));
  });

  it('may have any package, and no annotation', async () => {
    expect(await evaluate(policy('allow := input.x == 1', 'a.b["c-d"]'), { x: 1 })).toEqual(result({ allow: true }));
  });

  it('sees parameters and the time of the evaluation, and no other clock', async () => {
    const source = policy(
      `${entry('times := [time.now_ns(), data.kosli.evaluation_time]')}\nallow := data.params.least > 2`,
    );
    expect(await evaluate(source, {}, { least: 3 })).toEqual({
      kind: 'evaluated',
      result: `{"allow":true,"times":[${NOW},${NOW}]}`,
    });
  });

  it('answers the values of its entry points as well, without undefined ones', async () => {
    const source = policy(
      [
        'allow := true',
        ...['a := {"x": [1, null]}', 'b := null', 'c := 1 if input.none', 'e contains 2'].map(entry),
        'd := 4',
      ].join('\n'),
    );
    expect(await evaluate(source)).toEqual(result({ a: { x: [1, null] }, allow: true, b: null, e: [2] }));
  });

  it('reads modules by their package and data by its directory', async () => {
    const files = {
      'lib/deep/names.rego': policy('name := data.controls.x.names[_]', 'lib.names'),
      'main.rego': policy('import data.lib.names\nallow := names.name == data.root'),
      'controls/x/data.yaml': 'names: [ada]\n',
      'controls/x/more.ergo.yaml': 'others: {a: 1}\n',
      'data.json': '{"root":"ada"}',
      'main_test.rego': 'package policy\nthis is no Rego',
      'README.md': 'allow := false',
    };
    expect(await evaluate(files)).toEqual(result({ allow: true }));
  });
});

describe('a bundle is refused', () => {
  it.each([
    ['without modules', { 'data.json': '{}' }, 'no_policy', 'no package of the policy declares allow'],
    ['without allow', policy('deny := true'), 'no_policy', 'declares allow'],
    ['of tests alone', { 'a_test.rego': policy('allow := true') }, 'no_policy', 'declares allow'],
    [
      'with two policy packages',
      { 'a.rego': policy('allow := true', 'a'), 'b.rego': policy('allow := true', 'b') },
      'entrypoint',
      'exactly one of the packages',
    ],
    [
      'with two annotated policy packages',
      { 'a.rego': policy(entry('allow := true'), 'a'), 'b.rego': policy(entry('allow := true'), 'b') },
      'entrypoint',
      'exactly one of the packages',
    ],
    [
      'with an entry point in another package',
      { 'a.rego': policy('allow := true', 'a'), 'b.rego': policy(entry('x := 1'), 'b') },
      'entrypoint',
      'must be in the package data.a',
    ],
    ['with a function as entry point', policy(`allow := true\n${entry('f(x) := x')}`), 'entrypoint', 'function'],
    ['with a function allow', policy('allow(x) := true'), 'entrypoint', 'function'],
    [
      'with a mistake',
      policy('allow := tru', 'x'),
      'compile',
      'policy.rego:2:10: rego_unsafe_var_error: var tru is unsafe',
    ],
    ['that cannot be parsed', policy('allow if {'), 'compile', 'policy.rego:3:1: rego_parse_error'],
    ['of an older Rego', policy('allow { true }'), 'compile', '`if` keyword is required before rule body'],
    ['with cyclic rules', policy('allow := a\na := b\nb := a'), 'compile', 'rego_recursion_error'],
    [
      'with two values of a rule',
      policy('default allow := true\ndefault allow := false'),
      'compile',
      'multiple default rules',
    ],
    [
      'with data of parameters',
      { 'a.rego': policy('allow := true'), 'params/data.json': '{}' },
      'compile',
      'params/data.json: data.params is reserved',
    ],
    [
      'with data of parameters at its root',
      { 'a.rego': policy('allow := true'), 'data.yml': 'params: 1' },
      'compile',
      'data.params is reserved',
    ],
    [
      'with the time as data',
      { 'a.rego': policy('allow := true'), 'kosli/data.json': '{"evaluation_time":1}' },
      'compile',
      'is reserved',
    ],
    [
      'with data twice',
      { 'a.rego': policy('allow := true'), 'a/data.json': '{"b":1}', 'a/b/data.json': '{}' },
      'compile',
      'another file has data.a.b',
    ],
    [
      'with data that is no object',
      { 'a.rego': policy('allow := true'), 'data.json': '[1]' },
      'compile',
      'must be an object',
    ],
    ['with broken data', { 'a.rego': policy('allow := true'), 'x/data.json': '{' }, 'compile', 'x/data.json: '],
    [
      'with a rule where data is',
      { 'a.rego': policy('allow := true\nx := 1'), 'policy/data.json': '{"x":2}' },
      'compile',
      'conflicting rule for data path policy/x',
    ],
  ])('%s', async (_, files, kind, message) => {
    expect(await evaluate(files)).toEqual(failure(kind, message));
  });

  it('and the places of mistakes are named', async () => {
    expect(await evaluate({ 'a.rego': policy('allow := x\n\n  b := nope(1)') })).toMatchObject({
      kind: 'compile',
      problems: [{ file: 'a.rego', line: 4, column: 8, text: 'rego_type_error: undefined function nope' }],
    });
  });

  it.each([
    'http.send({"method": "get", "url": "http://localhost"})',
    'net.lookup_ip_addr("localhost")',
    'net.cidr_contains("10.0.0.0/8", "10.0.0.1")',
    'opa.runtime()',
    'rand.intn("x", 9)',
    'uuid.rfc4122("x")',
    'trace("x")',
    'io.jwt.verify_hs256("a.b.c", "x")',
    'io.jwt.decode_verify("a.b.c", {})',
    'io.jwt.encode_sign({}, {}, {})',
    'io.jwt.encode_sign_raw("", "", "")',
    'providers.aws.sign_req({}, {}, 1)',
  ])('that calls %s', async (call) => {
    const name = call.slice(0, call.indexOf('('));
    expect(await evaluate(policy(`allow := ${call} == 1`))).toEqual(failure('compile', `undefined function ${name}`));
  });

  it.each([
    'io.jwt.decode("eyJhbGciOiJIUzI1NiJ9.e30.c2ln")[1] == {}',
    'crypto.sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"',
    'regex.match("^a+$", "aaa")',
    'semver.compare("1.2.3", "1.10.0") == -1',
    'time.parse_rfc3339_ns("2026-01-01T00:00:00Z") < time.now_ns()',
    'json.match_schema({"a": 1}, {"type": "object"})[0]',
    'yaml.unmarshal("a: 1").a == 1',
    'glob.match("*.rego", [], "a.rego")',
    'time.date([0, "Europe/Berlin"]) == [1970, 1, 1]',
    'sprintf("%05.1f", [1.25]) == "001.2"',
    'graph.reachable({"a": ["b"], "b": []}, ["a"]) == {"a", "b"}',
    'units.parse_bytes("1KiB") == 1024',
    'object.union({"a": 1}, {"b": 2}) == {"a": 1, "b": 2}',
    '9007199254740993 != 9007199254740992',
    'print("x")',
  ])('that says %s is not', async (expression) => {
    expect(await evaluate(policy(`allow if ${expression}`))).toEqual(result({ allow: true }));
  });
});

describe('an evaluation fails', () => {
  it.each([
    ['if allow is a text', 'allow := "yes"', 'result_shape', 'allow must be true or false'],
    ['if allow is undefined', 'allow if input.none', 'result_shape', 'allow is undefined'],
    [
      'if violations are no texts',
      'allow := true\nviolations contains 1',
      'result_shape',
      'a set or an array of texts',
    ],
    [
      'if violations are an object',
      'allow := true\nviolations := {"a": "b"}',
      'result_shape',
      'a set or an array of texts',
    ],
    [
      'with 1,001 violations',
      'allow := true\nviolations contains sprintf("%d", [x]) if some x in numbers.range(1, 1001)',
      'result_shape',
      'violations has 1001 texts, over the limit of 1000',
    ],
    [
      'with a violation of 1,001 characters',
      'allow := true\nviolations contains concat("", [input.long, "é"])',
      'result_shape',
      'a violation has 1001 characters',
    ],
    [
      'with a result of 1 MiB',
      `allow := true\n${entry('all := [input.long | some i in numbers.range(1, 1050)]')}`,
      'result_shape',
      'over the limit of 1048576',
    ],
    ['if a built-in fails', 'allow := to_number("x") == 1', 'evaluate', 'eval_builtin_error: to_number'],
    [
      'if a rule has two values',
      'allow := true if input.long\nallow := false if input.long',
      'evaluate',
      'eval_conflict_error',
    ],
  ])('%s', async (_, text, kind, message) => {
    expect(await evaluate(policy(text), { long: 'x'.repeat(1_000) })).toEqual(failure(kind, message));
  });

  it('beyond the limits, and not at them', async () => {
    const text =
      'allow := true\nviolations contains sprintf("%d%s", [x, input.long]) if some x in numbers.range(1000, 1999)';
    const answer = await evaluate(policy(text), { long: 'x'.repeat(996) });
    expect(answer).toMatchObject({
      kind: 'evaluated',
      result: expect.stringMatching(/^\{"allow":true,"violations":\[("\d{4}x{996}",?){1000}\]\}$/),
    });
    expect(await evaluate(policy('allow := true\nviolations := [input.long]'), { long: 'é'.repeat(1_000) })).toEqual(
      result({ allow: true, violations: ['é'.repeat(1_000)] }),
    );
  });

  it('if the input is larger than 4 MiB', async () => {
    const input = (size: number) => 'x'.repeat(size - 2);
    const max = 4 * 1024 * 1024;
    expect(await evaluate(policy('allow := true'), input(max))).toEqual(result({ allow: true }));
    expect(await evaluate(policy('allow := true'), input(max + 1))).toEqual(
      failure('input_shape', 'The input is 4194305 bytes, over the limit of 4194304'),
    );
  });
});

describe('a policy that takes too much', () => {
  const loop =
    'allow := count([1 | some x in numbers.range(1, 20000); some y in numbers.range(1, 20000); x * y == -1]) == 1';
  const bombs: [string, string, string][] = [
    ['time', loop, 'evaluate'],
    ['memory', 'allow := count(numbers.range(1, 1000000000)) == 1', 'evaluate'],
    [
      'memory for texts',
      'allow := count(concat("", [x | some i in numbers.range(1, 400000); x := input.long])) == 1',
      'evaluate',
    ],
    ['stack', `allow := ${'['.repeat(40_000)}${']'.repeat(40_000)} == []`, 'compile'],
  ];
  it.each(bombs)('%s is ended, and the next one is answered', async (_, text, kind) => {
    const answer = await evaluate(policy(text), { long: 'x'.repeat(1_000) });
    expect(answer).toEqual(failure(kind, ''));
    expect(JSON.stringify(answer)).toMatch(/more time or memory|max_nesting|nest|recursion|range/i);
    expect(await evaluate(policy('allow := true'))).toEqual(result({ allow: true }));
  });

  it('delays another organization by less than a second, and other work not at all', async () => {
    await Promise.all([evaluate(policy('allow := true'), {}, {}, 'a'), evaluate(policy('allow := true'), {}, {}, 'b')]);
    const endless = Array.from({ length: 3 }, (_, i) => evaluate(policy(`${loop}\nn := ${i}`), {}, {}, 'a'));
    const began = performance.now();
    expect(await evaluate(policy('allow := true'), {}, {}, 'b')).toEqual(result({ allow: true }));
    expect(performance.now() - began).toBeLessThan(1_000);
    expect(await Promise.all(endless)).toEqual(endless.map(() => failure('evaluate', 'more time or memory')));
  });
});

describe('the threads of policies', () => {
  it('end after some time without work, and start again', async () => {
    const idle = new Evaluator({}, {}, { idleMs: 300 });
    const threads = () => idle['regos']['workers'].size;
    const job = { digest: 'd', files: JSON.stringify({ 'a.rego': policy('allow := true') }), params: '{}', time: NOW };
    expect(threads()).toBe(0);
    for (let round = 0; round < 2; round += 1) {
      expect(await idle.evaluateRego('acme', { ...job, input: '{}' })).toEqual(result({ allow: true }));
      expect(threads()).toBe(1);
      for (let tries = 0; tries < 100 && threads() > 0; tries += 1) await setTimeout(100);
      expect(threads()).toBe(0);
    }
    await idle.close();
  });
});
