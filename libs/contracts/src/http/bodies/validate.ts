import { input } from '@assurance/kernel';
import type { FieldErrors } from '../params';
import type { Shape } from '../shape';
import { refusalOf } from './decorators';
import { isPlain } from './plain';
import { findUnstorable } from './storable';
import { below, bodyValue, prepareValue, rawNumbers } from './value';
import { API_WORDING, type Wording } from './wording';

export type ValidationResult<T> = { readonly value: T } | { readonly errors: FieldErrors };

/**
 * Converts a parsed JSON body to the value of its shape, or returns its errors: one text for each wrong field, by the field's path. An optional field
 * that is null counts as left out. Unknown properties are errors in closed objects only, and other objects drop them.
 */
export function validateBody<T>(shape: Shape<T>, body: unknown): ValidationResult<T> {
  // This check comes first, because messages that show a value cannot show endless nesting.
  const seen = { rawNumber: false };
  const storageErrors = findUnstorable(body, seen);
  if (storageErrors !== null) return { errors: storageErrors };
  if (!isPlain(body)) return { errors: { body: `Input should be an object ${input(body)}` } };
  const numbers = seen.rawNumber ? rawNumbers(shape, body) : {};
  if (Object.keys(numbers).length > 0) return { errors: numbers };
  const { errors, unknown } = problemsOf(shape, body, API_WORDING);
  const all = { ...errors, ...unknown };
  return Object.keys(all).length === 0 ? { value: bodyValue(shape, body) } : { errors: all };
}

/** The problems of an object: one text for each wrong field, and one for each unknown property, by path. */
export function problemsOf(
  shape: Shape<unknown>,
  value: Readonly<Record<string, unknown>>,
  wording: Wording,
): { readonly errors: FieldErrors; readonly unknown: FieldErrors } {
  const findings = { wording, errors: new Map<string, string>(), unknownFields: new Map<string, string>() };
  checkFields(shape, value, '', findings);
  return { errors: Object.fromEntries(findings.errors), unknown: Object.fromEntries(findings.unknownFields) };
}

interface Findings {
  readonly wording: Wording;
  readonly errors: Map<string, string>;
  readonly unknownFields: Map<string, string>;
}

function checkFields(
  shape: Shape<unknown>,
  object: Readonly<Record<string, unknown>>,
  path: string,
  findings: Findings,
): void {
  const { fields = new Map<string, Shape<unknown>>(), closed } = shape;
  const valueOf = (key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);
  for (const [key, field] of fields) {
    const value = prepareValue(field, valueOf(key)) ?? null;
    const { optional, requiredWith } = field;
    if (value !== null) checkValue(field, value, below(path, key), findings);
    else if (!optional || (requiredWith !== undefined && (valueOf(requiredWith) ?? null) !== null))
      findings.errors.set(below(path, key), findings.wording.missing(field, value));
  }
  if (!closed) return;
  for (const [key, value] of Object.entries(object))
    if (!fields.has(key)) findings.unknownFields.set(below(path, key), `Unknown property ${input(value)}`);
}

/** Checks a value that is not missing. What is wrong as a whole is not looked into. */
function checkValue(shape: Shape<unknown>, value: unknown, path: string, findings: Findings): void {
  const { wording, errors } = findings;
  const refusal = refusalOf(shape, value);
  if (refusal !== null) {
    errors.set(path, wording[refusal](shape, value));
    return;
  }
  const result = shape.check?.(value) ?? {};
  const problems = Object.entries(typeof result === 'string' ? { '': result } : result);
  for (const [part, problem] of problems) errors.set(below(path, part), problem);
  const { fields, each } = shape;
  if (problems.length > 0) return;
  if (fields !== undefined && isPlain(value)) checkFields(shape, value, path, findings);
  else if (each !== undefined) checkParts(shape, each, value, path, findings);
}

/** Checks the items of a list, or the keys and values of a map. */
function checkParts(
  { keys }: Shape<unknown>,
  each: Shape<unknown>,
  value: unknown,
  path: string,
  findings: Findings,
): void {
  if (Array.isArray(value)) {
    value.forEach((item: unknown, i) => checkValue(each, prepareValue(each, item), below(path, String(i)), findings));
    return;
  }
  for (const [key, item] of Object.entries(value as object)) {
    const refusal = keys === undefined ? null : refusalOf(keys, key);
    if (keys !== undefined && refusal !== null)
      findings.errors.set(below(path, key), findings.wording[refusal](keys, key));
    else checkValue(each, prepareValue(each, item), below(path, key), findings);
  }
}
