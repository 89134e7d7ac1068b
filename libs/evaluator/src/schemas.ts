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

/** Of how many characters a thread remembers compiled schemas, which take several times as much; a short one counts as if it were longer. */
const REMEMBERED = { characters: 1_000_000, atLeast: 20_000 };
/** The most members of an object that are checked until the first error: beyond, all errors are collected. */
const NESTED_MAX = 500;
/** The address of a draft, without its scheme and an empty fragment. */
const DRAFT = /^https?:\/\/json-schema\.org\/(?<draft>draft-0[467]|draft\/(?:2019-09|2020-12))\/schema#?$/;
const DRAFTS = 'draft 4, 6, 7, 2019-09 or 2020-12';

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
  // Unknown keywords are let through, as JSON schema has it; nothing is printed.
  strict: false,
  logger: false,
  inlineRefs: false,
  validateSchema: true,
  // To optimize what Ajv writes takes the time of the square of a schema's length.
  code: { optimize: false, regExp: linear as unknown as NonNullable<NonNullable<Options['code']>['regExp']> },
};

const cache = new BytesCache<ValidateFunction>(REMEMBERED.characters, (_, text) =>
  Math.max(REMEMBERED.atLeast, text.length),
);

/**
 * Compiles a JSON schema of draft 4, 6, 7, 2019-09 or 2020-12 (without `$schema`, the last). References reach no further than the schema itself.
 *
 * @param text JSON
 * @throws Error that says what is wrong with it
 */
export function compileSchema(text: string): ValidateFunction {
  const validateFunction = cache.get(text);
  if (validateFunction !== undefined) return validateFunction;
  const schema = JSON.parse(text) as Record<string, unknown>;
  const draft = draftOf(schema['$schema']);
  const problem = keywordProblem(schema);
  if (problem !== null) throw new Error(problem);
  const validate = compiled(draft, draft === 'draft-04' ? fromDraft4(schema) : schema);
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
      // Draft 7 brought them: earlier drafts ignore them.
      for (const keyword of ['if', 'then', 'else']) ajv.removeKeyword(keyword);
      return ajv;
    }
  }
}

function compiled(draft: string, schema: object): ValidateFunction {
  const compile = (options: Options) => {
    const ajv = instanceOf(draft, options);
    addFormats(ajv as unknown as Parameters<typeof addFormats>[0]);
    return ajv.compile(schema);
  };
  try {
    // To stop at the first error, Ajv nests what it writes: too deep for an object of thousands of properties.
    return compile({ ...OPTIONS, allErrors: isWide(schema) });
  } catch (error) {
    if (!(error instanceof MissingRefError)) throw error;
    throw new Error(
      `$ref '${error.missingRef}' leads out of the schema. Put the referenced schema under $defs (definitions before 2019-09), with its own $id`,
    );
  }
}

/** Whether an object in a schema has more members than Ajv can nest. Does not recurse. */
function isWide(schema: object): boolean {
  const open: object[] = [schema];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const members: unknown[] = Object.values(item);
    if (members.length > NESTED_MAX) return true;
    for (const member of members) if (typeof member === 'object' && member !== null) open.push(member);
  }
  return false;
}

/** Where data is not as the schema says, as a JSON pointer, and how. */
export function firstProblem(errors: readonly ErrorObject[] | null | undefined): { at: string; text: string } {
  const [first] = errors ?? [];
  return { at: first?.instancePath ?? '', text: first?.message ?? 'does not match the schema' };
}
