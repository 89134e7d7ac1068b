import { echo, input, isRawNumber } from '@assurance/kernel';
import { type FieldConversion, conversionOf } from '../../environments/bodies/instance';
import type { FieldErrors } from '../params';
import type { Class } from '../route';
import { isClosed } from './body';
import { isPlain } from './plain';
import { fieldsOf } from './schema';

/** How each field of a class is made, by field name. */
type Plan = ReadonlyMap<string, FieldConversion>;

const plans = new WeakMap<Class<object>, Plan>();

/** Returns the value of a valid body. Unchanged parts are the given objects themselves, so that they need no memory twice. */
export function bodyValue<T extends object>(type: Class<T>, value: unknown): T {
  return valueOf(type, value) as T;
}

function valueOf(type: Class<object>, raw: unknown): unknown {
  if (!isPlain(raw)) return raw;
  const plan = planOf(type);
  let value = raw as Record<string, unknown>;
  for (const key of Object.keys(raw)) {
    const was = raw[key];
    const now = fieldOf(plan.get(key), was);
    if (now === was) continue;
    if (value === raw) value = { ...raw };
    if (now === undefined) delete value[key];
    else value[key] = now;
  }
  return value;
}

/** The value of a field. Undefined if the class does not know the field, or if the value is null. */
function fieldOf(conversion: FieldConversion | undefined, raw: unknown): unknown {
  if (conversion === undefined) return undefined;
  const value = conversion.change === undefined ? raw : conversion.change(raw);
  if (value === null) return undefined;
  const type = conversion.nested?.();
  if (type === undefined) return conversion.form === undefined ? value : conversion.form(value);
  return Array.isArray(value) ? listOf(type, value) : valueOf(type, value);
}

function listOf(type: Class<object>, value: readonly unknown[]): readonly unknown[] {
  let list: unknown[] | null = null;
  for (const [i, was] of value.entries()) {
    const now = valueOf(type, was);
    if (now !== was) (list ??= [...value])[i] = now;
  }
  return list ?? value;
}

function planOf(type: Class<object>): Plan {
  const cached = plans.get(type);
  if (cached !== undefined) return cached;
  const plan = new Map(fieldsOf(type).map((key) => [key, conversionOf(type.prototype as object, key) ?? {}]));
  plans.set(type, plan);
  return plan;
}

/** The properties that closed classes of a body do not know, by path. */
export function unknownProperties(type: Class<object>, value: unknown): FieldErrors {
  const errors = new Map<string, string>();
  findUnknownFields(type, value, '', errors);
  return Object.fromEntries(errors);
}

function findUnknownFields(type: Class<object>, raw: unknown, path: string, errors: Map<string, string>): void {
  if (!isPlain(raw)) return;
  const plan = planOf(type);
  for (const [key, value] of Object.entries(raw)) {
    const conversion = plan.get(key);
    const at = path === '' ? echo(key) : `${path}.${echo(key)}`;
    if (conversion === undefined) {
      if (isClosed(type)) errors.set(at, `Unknown property ${input(value)}`);
      continue;
    }
    const nested = conversion.nested?.();
    if (nested === undefined) continue;
    if (Array.isArray(value)) value.forEach((item, i) => findUnknownFields(nested, item, `${at}.${i}`, errors));
    else findUnknownFields(nested, value, at, errors);
  }
}

/** Errors for numbers that no double holds, by path. Free fields are excluded, because they keep all digits. */
export function rawNumbers(type: Class<object>, value: unknown): FieldErrors {
  const errors = new Map<string, string>();
  findRawNumbers(type, value, '', errors);
  return Object.fromEntries(errors);
}

function findRawNumbers(type: Class<object>, raw: unknown, path: string, errors: Map<string, string>): void {
  if (!isPlain(raw)) return findRawNumbersWithin(raw, path, errors);
  const plan = planOf(type);
  for (const [key, value] of Object.entries(raw)) {
    const conversion = plan.get(key);
    // Unknown properties are dropped, or refused by name.
    if (conversion === undefined || conversion.free === true) continue;
    const at = path === '' ? echo(key) : `${path}.${echo(key)}`;
    const nested = conversion.nested?.();
    if (nested === undefined) findRawNumbersWithin(value, at, errors);
    else if (Array.isArray(value)) value.forEach((item, i) => findRawNumbers(nested, item, `${at}.${i}`, errors));
    else findRawNumbers(nested, value, at, errors);
  }
}

function findRawNumbersWithin(value: unknown, path: string, errors: Map<string, string>): void {
  if (isRawNumber(value))
    errors.set(path, `A number here should be one that 64 bits of floating point hold ${input(value)}`);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) findRawNumbersWithin(inner, `${path}.${echo(key)}`, errors);
}
