import { echo, input, isRawNumber } from '@assurance/kernel';
import { type Making, makingOf } from '../../environments/bodies/instance';
import type { FieldErrors } from '../params';
import type { Class } from '../route';
import { isClosed } from './body';
import { isPlain } from './plain';
import { fieldsOf } from './schema';

/** How each field of a class is made, by its name. */
type Plan = ReadonlyMap<string, Making>;

const plans = new WeakMap<Class<object>, Plan>();

/**
 * Returns the value of a valid body. Unchanged parts are the given objects themselves, so that they are not in memory twice.
 */
export function bodyValue<T extends object>(type: Class<T>, given: unknown): T {
  return valueOf(type, given) as T;
}

function valueOf(type: Class<object>, given: unknown): unknown {
  if (!isPlain(given)) return given;
  const plan = planOf(type);
  let value = given as Record<string, unknown>;
  for (const key of Object.keys(given)) {
    const was = given[key];
    const now = fieldOf(plan.get(key), was);
    if (now === was) continue;
    if (value === given) value = { ...given };
    if (now === undefined) delete value[key];
    else value[key] = now;
  }
  return value;
}

/** Undefined when the field is left out: one that the class does not know, and null. */
function fieldOf(making: Making | undefined, given: unknown): unknown {
  if (making === undefined) return undefined;
  const value = making.change === undefined ? given : making.change(given);
  if (value === null) return undefined;
  const type = making.nested?.();
  if (type === undefined) return making.form === undefined ? value : making.form(value);
  return Array.isArray(value) ? listOf(type, value) : valueOf(type, value);
}

function listOf(type: Class<object>, given: readonly unknown[]): readonly unknown[] {
  let list: unknown[] | null = null;
  for (const [i, was] of given.entries()) {
    const now = valueOf(type, was);
    if (now !== was) (list ??= [...given])[i] = now;
  }
  return list ?? given;
}

function planOf(type: Class<object>): Plan {
  const known = plans.get(type);
  if (known !== undefined) return known;
  const plan = new Map(fieldsOf(type).map((key) => [key, makingOf(type.prototype as object, key) ?? {}]));
  plans.set(type, plan);
  return plan;
}

/** The properties that closed classes of a body do not know, by their paths. */
export function unknownProperties(type: Class<object>, given: unknown): FieldErrors {
  const errors = new Map<string, string>();
  lookForUnknown(type, given, '', errors);
  return Object.fromEntries(errors);
}

function lookForUnknown(type: Class<object>, given: unknown, path: string, errors: Map<string, string>): void {
  if (!isPlain(given)) return;
  const plan = planOf(type);
  for (const [key, value] of Object.entries(given)) {
    const making = plan.get(key);
    const at = path === '' ? echo(key) : `${path}.${echo(key)}`;
    if (making === undefined) {
      if (isClosed(type)) errors.set(at, `Unknown property ${input(value)}`);
      continue;
    }
    const nested = making.nested?.();
    if (nested === undefined) continue;
    if (Array.isArray(value)) value.forEach((item, i) => lookForUnknown(nested, item, `${at}.${i}`, errors));
    else lookForUnknown(nested, value, at, errors);
  }
}

/** The numbers of a body that no double holds where its class has fields of ours: these are no texts, and keep no digits. */
export function rawNumbers(type: Class<object>, given: unknown): FieldErrors {
  const errors = new Map<string, string>();
  lookForRaw(type, given, '', errors);
  return Object.fromEntries(errors);
}

function lookForRaw(type: Class<object>, given: unknown, path: string, errors: Map<string, string>): void {
  if (!isPlain(given)) return lookWithin(given, path, errors);
  const plan = planOf(type);
  for (const [key, value] of Object.entries(given)) {
    const making = plan.get(key);
    // What the class does not know is dropped, or refused by its name.
    if (making === undefined || making.free === true) continue;
    const at = path === '' ? echo(key) : `${path}.${echo(key)}`;
    const nested = making.nested?.();
    if (nested === undefined) lookWithin(value, at, errors);
    else if (Array.isArray(value)) value.forEach((item, i) => lookForRaw(nested, item, `${at}.${i}`, errors));
    else lookForRaw(nested, value, at, errors);
  }
}

function lookWithin(value: unknown, path: string, errors: Map<string, string>): void {
  if (isRawNumber(value))
    errors.set(path, `A number here should be one that 64 bits of floating point hold ${input(value)}`);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) lookWithin(inner, `${path}.${echo(key)}`, errors);
}
