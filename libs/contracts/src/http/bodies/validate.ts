import { echo, input } from '@assurance/kernel';
import 'reflect-metadata';
import { validateSync, type ValidationError } from 'class-validator';
import { instanceOf } from '../../environments/bodies/instance';
import type { FieldErrors } from '../params';
import type { Class } from '../route';
import { isPlain } from './plain';
import { PARTS } from './rules';
import { findUnstorable } from './storable';
import { bodyValue, rawNumbers, unknownProperties } from './value';

export type ValidationResult<T> = { readonly value: T } | { readonly errors: FieldErrors };

/**
 * Converts a parsed JSON body to an object of its class, or returns its errors: one text for each wrong field, by the field's path. An optional field
 * that is null counts as left out.
 *
 * @param strict unknown properties are errors everywhere; otherwise they are errors in closed classes only, and other classes drop them
 */
export function validateBody<T extends object>(
  type: Class<T>,
  body: unknown,
  { strict = false } = {},
): ValidationResult<T> {
  // This check comes first, because messages that show a value cannot show endless nesting.
  const seen = { rawNumber: false };
  const refused = findUnstorable(body, seen);
  if (refused !== null) return { errors: refused };
  if (!isPlain(body)) return { errors: { body: `Input should be an object ${input(body)}` } };
  const numbers = seen.rawNumber ? rawNumbers(type, body) : {};
  if (Object.keys(numbers).length > 0) return { errors: numbers };
  const errors = new Map<string, string>();
  const value = instanceOf(type, body, errors, strict);
  const results = validateSync(value, { whitelist: true, forbidNonWhitelisted: strict, forbidUnknownValues: false });
  const unknown = Object.entries(unknownProperties(type, body));
  if (results.length === 0 && errors.size === 0 && unknown.length === 0) return { value: bodyValue(type, body) };
  for (const error of results) collect(error, '', errors);
  for (const [path, problem] of unknown) if (!isWithin(path, errors)) errors.set(path, problem);
  return { errors: Object.fromEntries(errors) };
}

/**
 * Checks an object with the rules of a class and returns its errors: one text for each wrong field, by the field's path. Unknown properties are not
 * included.
 */
export function fieldProblems(type: Class<object>, value: Readonly<Record<string, unknown>>): FieldErrors {
  const errors = new Map<string, string>();
  const instance = instanceOf(type, value, new Map(), false);
  for (const error of validateSync(instance, { forbidUnknownValues: false })) collect(error, '', errors);
  return Object.fromEntries(errors);
}

/** Whether a property belongs to a value that is wrong as a whole, such as an object instead of a list. */
function isWithin(path: string, errors: ReadonlyMap<string, string>): boolean {
  const parts = path.split('.');
  return parts.some((_, i) => i > 0 && errors.has(parts.slice(0, i).join('.')));
}

/** The order of errors, most useful first. An error about the type of a value comes before errors about its content. */
const ORDER = ['isDefined', 'isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject', PARTS];

function collect(error: ValidationError, above: string, errors: Map<string, string>): void {
  const path = above + echo(error.property);
  const [kind, text] = Object.entries(error.constraints ?? {}).sort(([a], [b]) => rank(a) - rank(b))[0] ?? [
    PARTS,
    '{}',
  ];
  if (kind !== PARTS) {
    errors.set(path, kind === 'whitelistValidation' ? `Unknown property ${input(error.value)}` : text);
    return;
  }
  for (const [part, problem] of Object.entries(JSON.parse(text) as FieldErrors)) {
    errors.set(part === '' ? path : `${path}.${echo(part)}`, problem);
  }
  for (const child of error.children ?? []) {
    if (!errors.has(`${path}.${child.property}`)) collect(child, `${path}.`, errors);
  }
}

function rank(kind: string): number {
  const at = ORDER.indexOf(kind);
  return at === -1 ? ORDER.length : at;
}
