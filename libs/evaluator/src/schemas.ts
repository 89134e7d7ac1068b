import { BytesCache } from '@assurance/kernel';
import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import Ajv, { MissingRefError } from 'ajv';
import Ajv2019 from 'ajv/dist/2019';
import Ajv2020 from 'ajv/dist/2020';
import draft6 from 'ajv/lib/refs/json-schema-draft-06.json';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { fromDraft4 } from './draft-4';
import { keywordProblem } from './keywords';

/**
 * The size of a thread's cache of compiled schemas, by the characters of their text. A compiled schema is several times larger than its text. A
 * short schema counts as `atLeast` characters.
 */
const REMEMBERED = { characters: 1_000_000, atLeast: 20_000 };
/** If an object in a schema has more members, Ajv collects all errors instead of stopping at the first. */
const NESTED_MAX = 500;
/** The URL of a draft, with http or https, and with or without an empty fragment. */
const DRAFT = /^https?:\/\/json-schema\.org\/(?<draft>draft-0[467]|draft\/(?:2019-09|2020-12))\/schema#?$/;
const DRAFTS = 'draft 4, 6, 7, 2019-09 or 2020-12';

/** Makes regular expressions that run in linear time for every pattern and input. Ajv uses only these for the patterns of a schema. */
const linear = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
    // Ajv distinguishes patterns by their text.
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern };
  },
  { code: 'linear' },
);

const OPTIONS: Options = {
  // Unknown keywords are ignored, as JSON Schema requires. Nothing is printed.
  strict: false,
  logger: false,
  inlineRefs: false,
  validateSchema: true,
  // Optimizing the code that Ajv generates takes quadratic time in the length of the schema.
  code: { optimize: false, regExp: linear as unknown as NonNullable<NonNullable<Options['code']>['regExp']> },
};

const cache = new BytesCache<ValidateFunction>(REMEMBERED.characters, (_, text) =>
  Math.max(REMEMBERED.atLeast, text.length),
);

/**
 * Compiles a JSON schema of draft 4, 6, 7, 2019-09 or 2020-12. Without `$schema`, draft 2020-12 applies. References may not lead out of the
 * schema.
 *
 * @param text JSON
 * @throws Error if the schema is wrong; its message says why
 */
export function compileSchema(text: string): ValidateFunction {
  const validateFunction = cache.get(text);
  if (validateFunction !== undefined) return validateFunction;
  const schema = JSON.parse(text) as Record<string, unknown>;
  const draft = draftOf(schema['$schema']);
  const problem = keywordProblem(schema);
  if (problem !== null) throw new Error(problem);
  const validate = compileDraft(draft, draft === 'draft-04' ? fromDraft4(schema) : schema);
  cache.set(text, validate);
  return validate;
}

function draftOf($schema: unknown): string {
  if ($schema === undefined) return 'draft/2020-12';
  const draft = typeof $schema === 'string' ? DRAFT.exec($schema)?.groups?.['draft'] : undefined;
  if (draft === undefined) throw new Error(`$schema should name ${DRAFTS} of JSON Schema`);
  return draft;
}

/** A new instance for each schema, so that equal `$id`s of different schemas do not conflict. */
function instanceOf(draft: string, options: Options): Ajv | Ajv2019 | Ajv2020 {
  switch (draft) {
    case 'draft/2020-12':
      return new Ajv2020(options);
    case 'draft/2019-09':
      return new Ajv2019(options);
    case 'draft-07':
      return new Ajv(options);
    default: {
      const ajv = new Ajv(options).addMetaSchema(draft6);
      // Draft 7 introduced these keywords. Earlier drafts ignore them.
      for (const keyword of ['if', 'then', 'else']) ajv.removeKeyword(keyword);
      return ajv;
    }
  }
}

function compileDraft(draft: string, schema: object): ValidateFunction {
  const compile = (options: Options) => {
    const ajv = instanceOf(draft, options);
    addFormats(ajv as unknown as Parameters<typeof addFormats>[0]);
    return ajv.compile(schema);
  };
  try {
    // If Ajv stops at the first error, it generates nested code. For an object with thousands of properties, that is too deep.
    return compile({ ...OPTIONS, allErrors: isWide(schema) });
  } catch (error) {
    if (!(error instanceof MissingRefError)) throw error;
    throw new Error(
      `$ref '${error.missingRef}' leads out of the schema. Put the referenced schema under $defs (definitions before 2019-09), with its own $id`,
    );
  }
}

/** Whether an object in a schema has more members than Ajv can nest. It does not recurse. */
function isWide(schema: object): boolean {
  const open: object[] = [schema];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const members: unknown[] = Object.values(item);
    if (members.length > NESTED_MAX) return true;
    for (const member of members) if (typeof member === 'object' && member !== null) open.push(member);
  }
  return false;
}

/** The first error of a validation: `at` is a JSON pointer to the wrong value, and `text` is the problem. */
export function firstProblem(errors: readonly ErrorObject[] | null | undefined): { at: string; text: string } {
  const [first] = errors ?? [];
  return { at: first?.instancePath ?? '', text: first?.message ?? 'does not match the schema' };
}
