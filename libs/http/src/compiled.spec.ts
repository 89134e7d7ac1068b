import fc, { type Arbitrary } from 'fast-check';
import { dockerReport, k8sReport } from '@assurance/contracts/environments/bodies/report';
import { findUnstorable } from '@assurance/contracts/http/bodies/storable';
import { validateBody } from '@assurance/contracts/http/bodies/validate';
import type { Route } from '@assurance/contracts/http/route';
import { routes } from '@assurance/contracts/http/routes/routes';
import { type Component, type JsonSchema, schemasOf } from '@assurance/contracts/http/shape';
import { codePoint } from '@assurance/testing/code-point';
import { acceptsOf, checkBody } from './compiled';

const table: readonly Route[] = Object.values(routes);
/** Every body. */
const cases = table.flatMap(({ body }) => (body === undefined ? [] : [body.shape]));

/** Texts that some rule of some field counts, matches or stores in its own way. */
const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'A'.repeat(64),
    'aF'.repeat(32),
    'f'.repeat(40),
    'artifact',
    'assets',
    'docker',
    'job',
    'a\n',
    'b c',
  ),
  fc.constantFrom('\ufe0f', '☕\ufe0f', '👩‍🚀', '\ud800', 'a\udc00', 'é', '__proto__', 'constructor', 'toString', '[1]'),
  fc
    .tuple(fc.constantFrom('x', '👍', '☕\ufe0f'), fc.constantFrom(100, 128, 256, 512, 1_024, 2_048, 4_096, 8_192))
    .chain(([unit, length]) => fc.constantFrom(-1, 0, 1).map((more) => unit.repeat(length + more))),
  fc.string({ unit: codePoint, maxLength: 5 }),
);
const leaf = fc.oneof(
  text,
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -0,
    -1,
    1,
    1.5,
    1e300,
    Infinity,
    -Infinity,
    2 ** 53,
    [],
    {},
    [[]],
    [null],
  ),
);
const odd = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(text, leaf, { maxKeys: 3 }));

/** Bodies that a schema describes, with any text if the schema does not limit it. */
function fitting(schema: JsonSchema, all: Readonly<Record<string, JsonSchema>>): Arbitrary<unknown> {
  const { $ref, anyOf, enum: values, type, pattern, maxLength, items, properties } = schema as Description;
  const inner = (part: JsonSchema) => fitting(part, all);
  if ($ref !== undefined) return inner(all[$ref.split('/').at(-1) ?? ''] ?? {});
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(inner));
  if (values !== undefined) return fc.constantFrom(...values);
  if (Array.isArray(type)) return fc.oneof(...type.map((member) => inner({ ...schema, type: member })));
  switch (type) {
    case 'string':
      return pattern === undefined
        ? fc.oneof(fc.string({ maxLength: Math.min(maxLength ?? 9, 9), minLength: 1 }), text)
        : matching(pattern);
    case 'integer':
      return fc.nat();
    case 'number':
      return fc.double({ noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc
        .array(inner(items ?? {}), { maxLength: 3 })
        .map((list) => (schema['contains'] === undefined ? list : [...list, 'artifact']));
    case 'object':
      return properties === undefined ? mapping(schema as Description, inner) : record(schema as Description, inner);
    default:
      return odd;
  }
}

/** fast-check cannot make texts for a pattern with an exclusion. So excluded texts are made too, and filtered out. */
function matching(pattern: string): Arbitrary<string> {
  const whole = new RegExp(pattern);
  const expression = new RegExp(pattern.replace(/^\^\(\?!.*?\$\)/, '^'));
  return fc.stringMatching(expression, { maxLength: 64 }).filter((text) => whole.test(text));
}

interface Description {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly propertyNames?: JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

type Inner = (part: JsonSchema) => Arbitrary<unknown>;

function record({ properties = {}, required = [] }: Description, inner: Inner): Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, inner(field)]));
  return fc.record(fields, { requiredKeys: [...required] });
}

function mapping(schema: Description, inner: Inner): Arbitrary<unknown> {
  const { additionalProperties, propertyNames, minProperties: minKeys = 0, maxProperties: maxKeys = 3 } = schema;
  const names = inner({ type: 'string', ...propertyNames }) as Arbitrary<string>;
  return fc.dictionary(names, typeof additionalProperties === 'object' ? inner(additionalProperties) : odd, {
    minKeys,
    maxKeys,
  });
}

interface Change {
  readonly at: number;
  readonly how: 'replace' | 'empty' | 'remove' | 'add' | 'rename';
  readonly key: string;
  readonly value: unknown;
}

const change: Arbitrary<Change> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'empty', 'remove', 'add', 'rename'),
  key: text,
  value: odd,
});

/** A body with one of its places changed: a field, an item, or an entry. */
function changed(body: unknown, { at, how, key, value: other }: Change): unknown {
  const value = copyOf(other);
  const places = placesOf(body);
  const place = places[at % (places.length + 1)];
  if (place === undefined) return how === 'add' && isObject(body) ? set(body, key, value) : value;
  const { holder, name } = place;
  const was = (holder as Record<string, unknown>)[name];
  if (how === 'replace') set(holder, name, value);
  else if (how === 'empty') set(holder, name, null);
  else if (how === 'add') set(isObject(was) ? was : holder, key, value);
  else {
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else delete (holder as Record<string, unknown>)[name];
    if (how === 'rename') set(holder, key, was);
  }
  return body;
}

/** A separate copy, as JSON.parse would make it. */
function copyOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner)]));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Sets a key as JSON.parse does, also `__proto__`. */
function set(holder: object, key: string, value: unknown): object {
  if (Array.isArray(holder) && !Object.hasOwn(holder, key)) holder.push(value);
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
  return holder;
}

function placesOf(value: unknown): { readonly holder: object; readonly name: string }[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [{ holder: value, name }, ...placesOf(inner)]);
}

const bodiesOf = (shape: Component<object>) => fitting(shape.schema, schemasOf(shape));

describe.each(cases)('the compiled rules of $name', (shape) => {
  it('accept exactly what the ordinary way accepts, and give the same value', () => {
    const seen = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(bodiesOf(shape), fc.array(change, { maxLength: 2 }), (fit, changes) => {
        const body = changes.reduce(changed, copyOf(fit));
        const ordinary = validateBody(shape, copyOf(body));
        const right = 'value' in ordinary;
        seen[right ? 'accepted' : 'refused'] += 1;
        if (findUnstorable(body) === null)
          expect({ body, accepted: acceptsOf(shape)(body) }).toEqual({ body, accepted: right });
        expect(JSON.stringify(checkBody(shape, copyOf(body)))).toBe(JSON.stringify(ordinary));
      }),
      { numRuns: 200 },
    );
    expect([seen.accepted > 0, seen.refused > 0]).toEqual([true, true]);
  });
});

describe('the compiled rules of reports', () => {
  const [DockerReport, K8sReport] = [dockerReport.shape, k8sReport.shape];
  const sha = 'a'.repeat(64);
  const pods = (pod: object, names: number) => ({
    artifacts: [
      {
        podName: 'p',
        namespace: '',
        creationTimestamp: 1,
        ...pod,
        digests: Object.fromEntries(Array.from({ length: names }, (_, i) => [String(i), sha])),
      },
    ],
  });

  it('hold what is said beside digests to 32 MiB, as the ordinary way does', () => {
    // It is stored again for each further digest.
    const beside = JSON.stringify({ podName: 'p', namespace: 'n'.repeat(512), creationTimestamp: 1 }).length;
    const room = Math.floor((32 * 1024 * 1024) / beside);
    for (const [names, right] of [
      [room + 1, true],
      [room + 2, false],
    ] as const) {
      const body = pods({ namespace: 'n'.repeat(512) }, names);
      expect([acceptsOf(K8sReport)(body), 'value' in validateBody(K8sReport, body)]).toEqual([right, right]);
    }
  });

  it.each([0, 100, 101])('hold owners to 100: %i', (count) => {
    const owner = { apiVersion: 'v1', kind: 'Job', name: 'j', uid: 'u' };
    const body = pods({ owners: Array.from({ length: count }, () => owner) }, 1);
    const right = count <= 100;
    expect([acceptsOf(K8sReport)(body), 'value' in validateBody(K8sReport, body)]).toEqual([right, right]);
  });

  it('leave what needs no change as it is, so it is not held twice', () => {
    const owners = [{ apiVersion: 'v1', kind: 'Job', name: 'j', uid: 'u' }];
    const checked = checkBody(K8sReport, pods({ owners }, 1));
    const context = 'value' in checked ? checked.value.artifacts[0]?.context : undefined;
    expect(context?.of === 'pod' && Object.is(context.owners, owners)).toBe(true);
    expect(checkBody(DockerReport, { artifacts: null })).toEqual({ value: { artifacts: [] } });
  });
});
