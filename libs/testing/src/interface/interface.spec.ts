import { readFileSync } from 'node:fs';
import { resolve as resolvePath } from 'node:path';
import { openApiDocument } from '@assurance/contracts/http/openapi';
import { documentDifferences, type OpenApiDocument } from './documented';
import { exceptionsIn } from './exceptions';
import { answerProblems, bodyProblems, type Schema } from './schemas';
import { shapeOf } from './shape';
import { parametersOf, shape, TABLE } from './table';
import { findUnfilled, valueProblems } from './values';

const NAMED = { Tag: '{ key: text, value: text }' };
const read = (text: string) => shapeOf(text, NAMED);
const resolve = (): Schema => ({ type: 'string' });

describe('the table of the public interface', () => {
  it('has 118 operations, each with shapes that can be read', () => {
    const operations = Object.entries(TABLE);
    expect(operations).toHaveLength(118);
    for (const [, operation] of operations) {
      parametersOf(operation);
      for (const text of [operation.body, operation.form, operation.answer]) if (text !== undefined) shape(text);
    }
  });

  it('is what the OpenAPI document has, except what the page of compatibility excuses', () => {
    const page = readFileSync(resolvePath(__dirname, '../../../../docs/reference/compatibility.md'), 'utf8');
    const { allows, unused } = exceptionsIn(page);
    const document: unknown = openApiDocument({ publicUrl: 'http://localhost:8001', region: null });
    const differences = documentDifferences(document as OpenApiDocument);
    expect(differences.filter((difference) => !allows(difference))).toEqual([]);
    expect(unused()).toEqual([]);
  });

  it('finds every operation missing in a document without paths', () => {
    const empty: OpenApiDocument = { paths: {}, components: { schemas: {} } };
    expect(documentDifferences(empty)).toEqual(
      Object.keys(TABLE).map((operation) => ({ operation, what: 'is missing' })),
    );
  });

  it('finds missing parameters, and parameters that others need not send', () => {
    const operation = {
      parameters: [
        { name: 'page', in: 'query', schema: { type: 'integer' } },
        { name: 'tag', in: 'query', schema: { type: 'string' } },
        { name: 'colour', in: 'query', required: true, schema: { type: 'string' } },
      ],
      responses: { 200: { content: { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } } } },
    };
    const document = { paths: { '/controls/{name}': { get: operation } }, components: { schemas: {} } };
    const results = documentDifferences(document).filter(
      (difference) => difference.operation === 'GET /controls/{org}',
    );
    expect(results.map(({ what }) => what)).toEqual([
      ...['per_page', 'sort_direction', 'search'].map((name) => `query.${name} is unknown`),
      'query.tag does not repeat',
      'query.archived is unknown',
      'query.colour is required',
      'answer is no object',
    ]);
  });
});

describe('a shape', () => {
  it.each(['{ a: text', 'colour', '[text', '{ a text }', 'text text', '{ ...Nothing }', '{ a: text ; }'])(
    'is not %s',
    (text) => {
      expect(() => read(text)).toThrow(/shape|odd/);
    },
  );

  it.each<[string, unknown, string[]]>([
    ['{ name: text, tags?: [Tag] | null }', { name: 'a', tags: [{ key: 'b', value: 'c', more: 1 }] }, []],
    ['{ name: text, tags?: [Tag] | null }', { name: 'a', tags: null }, []],
    [
      '{ name: text, tags?: [Tag] | null }',
      { tags: [{ key: 'b' }] },
      ['a.name is missing', 'a.tags[].value is missing'],
    ],
    ['{ *: int }', { b: 1, c: 1.5 }, ['a.* is no int']],
    ['closed { ...Tag }', { key: 'b', value: 'c', more: 1 }, ['a.more is unknown']],
    ['[Tag] | { data: [Tag] }', { data: [{ key: 'b', value: 7 }] }, ['a.data[].value is no text']],
  ])('%s holds %j', (text, value, expected) => {
    expect(valueProblems(read(text), value, 'a')).toEqual(expected);
  });

  it('tells which of its places values leave empty', () => {
    const filled = [{ name: 'a', tags: [{ key: 'b' }] }, { links: { wiki: 'c' } }];
    expect(findUnfilled(read('{ name: text, tags: [Tag], links: { *: text }, state: bool }'), filled, 'a')).toEqual([
      'a.tags[].value',
      'a.state',
    ]);
  });
});

describe('the comparison with schemas', () => {
  const object = (properties: Schema['properties'], more: Partial<Schema> = {}): Schema => ({
    type: 'object',
    properties,
    additionalProperties: false,
    ...more,
  });

  it.each<[string, Schema, string[]]>([
    [
      'closed { key: text, value?: text | null }',
      object({ key: { $ref: '#/x/Text' }, value: { type: ['string', 'null'] } }),
      [],
    ],
    ['{ key: text | null }', object({ key: { type: 'string' } }), ['body.key takes no null']],
    ['{ key: text, value?: text }', object({ key: { type: 'string' } }), ['body.value is unknown']],
    ['{ key?: text }', object({ key: { type: 'string' } }, { required: ['key'] }), ['body.key is required']],
    ['{ n: number }', object({ n: { type: 'integer' } }), ['body.n takes no number']],
    ['{ tags: [Tag] }', object({ tags: { type: 'string' } }), ['body.tags takes no list']],
    [
      'closed { ...Tag }',
      object({ key: {}, value: {} }, { additionalProperties: true }),
      ['body takes unknown properties'],
    ],
    ['{ *: text }', object({}, { additionalProperties: { type: 'integer' } }), ['body.* takes no string']],
  ])('tells where a body like %s is refused', (text, schema, expected) => {
    expect(bodyProblems(read(text), schema, 'body', resolve)).toEqual(expected);
  });

  it.each<[string, Schema, string[]]>([
    ['{ key: text }', object({ key: { enum: ['a', 'b'] } }, { required: ['key'] }), []],
    ['{ key: text }', object({ key: { type: 'string' } }), ['answer.key may be left out']],
    ['{ key: text }', object({ key: { type: ['string', 'null'] } }, { required: ['key'] }), ['answer.key is no text']],
    ['{ key: text }', object({}), ['answer.key is missing']],
    ['[Tag] | { key: int }', object({ key: { type: 'number' } }, { required: ['key'] }), ['answer.key is no int']],
    ['text', { anyOf: [{ type: 'string' }, { type: 'array' }] }, ['answer is no text']],
  ])('tells where an answer like %s may be otherwise', (text, schema, expected) => {
    expect([...new Set(answerProblems(read(text), schema, 'answer', resolve))]).toEqual(expected);
  });
});

describe('the page of exceptions', () => {
  it('excuses what its rows have, and tells which rows excuse nothing', () => {
    const page = [
      '| operation | difference | because |',
      '| --- | --- | --- |',
      '| `GET /a`, `GET /b` | `answer.x is missing` | It says so. |',
      '| `GET /c` | `query.y is unknown`, `query.z is unknown` | It says so. |',
    ].join('\n');
    const { allows, unused } = exceptionsIn(page);
    expect(allows({ operation: 'GET /a', what: 'answer.x is missing' })).toBe(true);
    expect(allows({ operation: 'GET /c', what: 'query.z is unknown' })).toBe(true);
    expect(allows({ operation: 'GET /d', what: 'query.z is unknown' })).toBe(false);
    expect(unused()).toEqual(['GET /b: answer.x is missing', 'GET /c: query.y is unknown']);
  });
});
