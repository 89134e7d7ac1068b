import fc from 'fast-check';
import type {
  AttestationTypeAnswer,
  AttestationTypeListItem,
} from '@assurance/contracts/evidence/answers/attestation-type';
import { codePoint } from '@assurance/testing/code-point';
import type { Caller } from './support/caller';
import { fresh } from './support/samples';
import { onEveryDeployment } from './support/world';

const PATH = '/custom-attestation-types/acme';
const SCHEMA = { type: 'object', required: ['coverage'], properties: { coverage: { type: 'number' } } };

/** As clients send it: the JSON in a field, the schema as a file. */
function typeForm(data: unknown, schema?: unknown): FormData {
  const form = new FormData();
  form.set('data_json', JSON.stringify(data));
  if (schema !== undefined) {
    const text = typeof schema === 'string' ? schema : JSON.stringify(schema);
    form.set('type_schema', new Blob([text], { type: 'application/octet-stream' }), 'schema.json');
  }
  return form;
}

onEveryDeployment((world) => {
  const caller = (): Caller => world().as('member');
  const post = async (data: object, schema?: unknown) => {
    expect(await caller().expect(201, 'POST', PATH, { form: typeForm(data, schema) })).toBe('OK');
  };
  const refused = async (data: object, schema?: unknown) => {
    const { message, errors } = await caller().refused(400, 'POST', PATH, { form: typeForm(data, schema) });
    expect(message).toMatch(/^Input payload validation failed: /);
    return errors ?? {};
  };
  const get = (name: string, query = '') => caller().get<AttestationTypeAnswer>(`${PATH}/${name}${query}`);
  const archive = (name: string) => caller().expect(200, 'PUT', `${PATH}/${name}/archive`, { json: null });
  const listed = async () => (await caller().get<AttestationTypeListItem[]>(PATH)).map(({ name }) => name);

  it('is created with a schema, rules and a summary, and read back', async () => {
    const name = fresh('coverage_.~-');
    const evaluator = { content_type: 'jq', rules: ['.coverage >= 80', 'def f: .coverage; f <= 100 # at most'] };
    const summary = [{ name: 'Coverage', expression: '.coverage' }];
    await post({ name, description: 'Of tests', evaluator, summary }, SCHEMA);
    const { created_at, last_modified_at, versions, ...rest } = await get(name);
    expect(rest).toEqual({ name, org: 'acme', archived: false, description: 'Of tests', created_by: 'ci-member' });
    const timestamp = created_at;
    expect(versions).toEqual([
      { version: 1, timestamp, created_by: 'ci-member', type_schema: SCHEMA, evaluator, summary },
    ]);
    expect(last_modified_at).toBe(created_at);
    const text = JSON.stringify(versions[0]?.type_schema);
    expect(text).toBe('{"properties":{"coverage":{"type":"number"}},"required":["coverage"],"type":"object"}');
  });

  it('needs only a name; without a description the answer has no such key', async () => {
    const name = fresh('any');
    await post({ name, description: '' });
    const type = await get(name);
    expect(type).not.toHaveProperty('description');
    expect(type.versions).toMatchObject([{ version: 1, type_schema: null, evaluator: null, summary: null }]);
  });

  it('gets a version with each post; lists them newest first and shows a requested one', async () => {
    const name = fresh('versions');
    await post({ name, description: 'One' });
    await post({ name, evaluator: { content_type: 'jq', rules: ['true'] }, summary: [] });
    await world()
      .as('admin')
      .expect(201, 'POST', PATH, { form: typeForm({ name, description: 'Three' }, SCHEMA) });
    const type = await get(name);
    expect(type).toMatchObject({ description: 'Three', created_by: 'ci-member' });
    expect(type.versions.map(({ version, created_by }) => [version, created_by])).toEqual([
      [3, 'ci-admin'],
      [2, 'ci-member'],
      [1, 'ci-member'],
    ]);
    const second = await get(name, '?version=2');
    expect(second.versions).toMatchObject([
      { version: 2, evaluator: { rules: ['true'] }, summary: [], type_schema: null },
    ]);
    for (const key of ['created_by', 'created_at', 'last_modified_at']) expect(second).not.toHaveProperty(key);
    for (const version of [0, 4, 10]) {
      expect(await caller().refused(404, 'GET', `${PATH}/${name}?version=${version}`)).toEqual({
        message: `version ${version} does not exist for custom attestation type '${name}'`,
      });
    }
    await caller().refused(400, 'GET', `${PATH}/${name}?version=x`);
  });

  it('creates a version for each of many simultaneous posts', async () => {
    const name = fresh('race');
    await Promise.all(Array.from({ length: 5 }, () => post({ name })));
    expect((await get(name)).versions.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
  });

  it('is hidden from the list but readable while archived, until it is posted again', async () => {
    const [a, b] = [fresh('archived'), fresh('archived')];
    for (const name of [a, b]) await post({ name });
    expect(await listed()).toEqual(expect.arrayContaining([a, b]));
    await archive(a);
    await archive(a);
    expect(await listed()).not.toContain(a);
    expect(await get(a)).toMatchObject({ archived: true, versions: [{ version: 1 }] });
    await post({ name: a });
    expect(await get(a)).toMatchObject({ archived: false, versions: [{ version: 2 }, { version: 1 }] });
    expect(await listed()).toContain(a);
  });

  it('is listed by name with the number of its versions', async () => {
    const name = fresh('listed');
    await post({ name });
    await post({ name });
    const all = await caller().get<AttestationTypeListItem[]>(PATH);
    expect(all.find((type) => type.name === name)?.versions).toHaveLength(2);
    expect(all.map((type) => type.name)).toEqual(all.map((type) => type.name).sort());
  });

  it('answers 404 if nobody created it', async () => {
    const unknown = { message: "Custom attestation type 'nothing' does not exist for org 'acme'" };
    expect(await caller().refused(404, 'GET', `${PATH}/nothing`)).toEqual(unknown);
    expect(await caller().refused(404, 'PUT', `${PATH}/nothing/archive`, { json: null })).toEqual(unknown);
  });

  it('names each wrong field', async () => {
    const rules = (...all: string[]) => ({ content_type: 'jq', rules: all });
    const name = fresh('wrong');
    expect(await refused({ name: 'a b' })).toEqual({
      name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\-_\\.~]*$' [input: a b]",
    });
    const summary = [{ name: 'x', expression: '.a)' }];
    const errors = await refused({ name, evaluator: rules('true', '.a |'), summary }, { type: 'strange' });
    expect(Object.keys(errors).sort()).toEqual(['evaluator.rules.1', 'summary.0.expression', 'type_schema']);
    expect(errors['evaluator.rules.1']).toContain('syntax error');
    expect(Object.keys(await refused({ name, evaluator: { content_type: 'rego', rules: [] } }))).toEqual([
      'evaluator.content_type',
    ]);
    expect(Object.keys(await refused({ name, evaluator: { content_type: 'jq' } }))).toEqual(['evaluator.rules']);
    expect(Object.keys(await refused({ name, evaluator: rules('x'.repeat(5_000)) }))).toEqual(['evaluator.rules.0']);
    for (const schema of ['{', '[]', `{"a":"${'x'.repeat(1_060_000)}"}`, { $ref: 'https://example.com/a.json' }]) {
      expect(Object.keys(await refused({ name }, schema))).toEqual(['type_schema']);
    }
    let deep: object = {};
    for (let i = 0; i < 64; i += 1) deep = { not: deep };
    expect(await refused({ name }, deep)).toEqual({
      type_schema: 'The schema has more levels than the limit of 64. Put inner schemas under $defs, and refer to them',
    });
    await caller().refused(404, 'GET', `${PATH}/${name}`);
  });

  it('accepts or refuses any input without a fault, and judges any data', async () => {
    const word = fc.constantFrom(
      '.a',
      '[',
      ']',
      '(',
      ')',
      '|',
      ',',
      'def f:',
      ';',
      '"',
      'if',
      'then',
      '#',
      '\n',
      '-',
      '1',
      '?',
    );
    const program = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 30 }),
      fc.array(word, { maxLength: 8 }).map((all) => all.join('')),
      fc.constantFrom(
        'true',
        'recurse',
        '[limit(3; repeat(.))]',
        'input',
        '@base32d',
        'splits("a+")',
        'getpath(["a"])',
      ),
    );
    const key = fc.constantFrom(
      'type',
      'items',
      '$ref',
      '$id',
      '$schema',
      'pattern',
      'enum',
      'not',
      'anyOf',
      'format',
      '__proto__',
    );
    const value = fc.oneof(fc.constantFrom('string', '#', '^(a+)+$', 'date', {}), fc.jsonValue());
    const schema = fc.oneof(fc.dictionary(key, value), fc.string({ unit: codePoint, maxLength: 30 }));
    await fc.assert(
      fc.asyncProperty(program, fc.option(schema), fc.jsonValue(), async (rule, described, attestation_data) => {
        const name = fresh('odd');
        const data = { name, evaluator: { content_type: 'jq', rules: [rule] } };
        const answer = await caller().send('POST', PATH, { form: typeForm(data, described ?? undefined) });
        expect([201, 400]).toContain(answer.status);
        if (answer.status === 400) return;
        const form = typeForm({ attestation_name: 'odd', type_name: name, attestation_data });
        const path = `/attestations/acme/${name}/trail/t/custom`;
        expect([201, 400]).toContain((await caller().send('POST', path, { form })).status);
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});
