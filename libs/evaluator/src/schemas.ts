import { BytesCache } from '@assurance/kernel';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { keywordProblem } from './keywords';

/** Of how many characters a thread remembers compiled schemas, which take several times as much; a short one counts as if it were longer. */
const REMEMBERED = { characters: 1_000_000, atLeast: 20_000 };
const DRAFT_7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const DRAFT_2020 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** Patterns run in linear time for every pattern and input. Ajv compiles no other regular expressions of a schema. */
const linear = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    // Ajv knows patterns apart by their text.
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern };
  },
  { code: 'linear' },
);

const OPTIONS: Options = {
  // Unknown keywords are let through, as JSON schema has it; nothing is printed, and the first error is enough.
  strict: false,
  logger: false,
  allErrors: false,
  inlineRefs: false,
  validateSchema: true,
  code: { regExp: linear as unknown as NonNullable<NonNullable<Options['code']>['regExp']> },
};

const known = new BytesCache<ValidateFunction>(REMEMBERED.characters, (_, text) =>
  Math.max(REMEMBERED.atLeast, text.length),
);

/**
 * Compiles a JSON schema of draft 7 or 2020-12 (without `$schema`, the latter). References reach no further than the schema itself.
 *
 * @param text JSON
 * @throws Error that says what is wrong with it
 */
export function compileSchema(text: string): ValidateFunction {
  const found = known.get(text);
  if (found !== undefined) return found;
  const schema = JSON.parse(text) as { readonly $schema?: unknown };
  const { $schema } = schema;
  const is7 = typeof $schema === 'string' && DRAFT_7.test($schema);
  if ($schema !== undefined && !is7 && !(typeof $schema === 'string' && DRAFT_2020.test($schema))) {
    throw new Error('$schema should name draft 7 or 2020-12 of JSON Schema');
  }
  const problem = keywordProblem(schema);
  if (problem !== null) throw new Error(problem);
  // A new instance for each schema, so that equal `$id`s of different schemas do not conflict.
  const ajv = is7 ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  addFormats(ajv as unknown as Parameters<typeof addFormats>[0]);
  const validate = ajv.compile(schema as object);
  known.set(text, validate);
  return validate;
}

/** Where data is not as the schema says, as a JSON pointer, and how. */
export function firstProblem(errors: readonly ErrorObject[] | null | undefined): { at: string; text: string } {
  const [first] = errors ?? [];
  return { at: first?.instancePath ?? '', text: first?.message ?? 'does not match the schema' };
}
