import { echo, input } from '@assurance/kernel';
import { isClosed } from '../../http/bodies/body';
import { isPlain } from '../../http/bodies/plain';
import type { Class } from '../../http/route';

/** How the value of a body field is made from the JSON value. */
export interface FieldConversion {
  readonly nested?: () => Class<object>;
  /** Changes the JSON value before it is checked. */
  readonly change?: (value: unknown) => unknown;
  /** Converts a valid value for the body. */
  readonly form?: (valid: unknown) => unknown;
  /** The content is stored as it was sent: its numbers may have more digits than doubles can hold. */
  readonly free?: true;
}

const conversions = new Map<object, Map<string, FieldConversion>>();

/** Sets how a field is made. Decorators use it. */
export function convertField(target: object, key: string, conversion: FieldConversion): void {
  const fields = conversions.get(target) ?? new Map<string, FieldConversion>();
  fields.set(key, { ...fields.get(key), ...conversion });
  conversions.set(target, fields);
}

/** Changes the JSON value of a field before it is checked. */
export const Preprocess =
  (change: (value: unknown) => unknown): PropertyDecorator =>
  (target, key) =>
    convertField(target, String(key), { change });

/** Converts the valid value of a field for the body. */
export const Convert =
  (form: (valid: unknown) => unknown): PropertyDecorator =>
  (target, key) =>
    convertField(target, String(key), { form });

/** Stores the content of a field as it was sent. */
export const FreeForm: PropertyDecorator = (target, key) => convertField(target, String(key), { free: true });

/**
 * Makes an object of a body class from parsed JSON, with all its properties. It leaves out properties with names that every object has, such as
 * `constructor`. class-transformer would walk into free-form maps and take a key `constructor` for a class, and class-validator finds its rules by
 * `constructor`.
 *
 * @param errors gets these names if unknown properties are errors
 * @param strict unknown properties are errors in each class, not only in closed classes
 */
export function instanceOf<T extends object>(
  type: Class<T>,
  raw: Readonly<Record<string, unknown>>,
  errors: Map<string, string>,
  strict: boolean,
  path = '',
): T {
  const instance = Object.create(type.prototype as object) as Record<string, unknown>;
  for (const [key, value] of Object.entries(raw)) {
    if (!(key in Object.prototype)) {
      instance[key] = field(conversionOf(type.prototype as object, key), value, errors, strict, `${path}${echo(key)}.`);
    } else if (strict || isClosed(type)) errors.set(path + key, `Unknown property ${input(value)}`);
  }
  return instance as T;
}

function field(
  conversion: FieldConversion | undefined,
  raw: unknown,
  errors: Map<string, string>,
  strict: boolean,
  path: string,
): unknown {
  const value = conversion?.change === undefined ? raw : conversion.change(raw);
  const type = conversion?.nested?.();
  if (type === undefined) return value;
  if (Array.isArray(value)) {
    return value.map((item, i) =>
      isPlain(item) ? instanceOf(type, item, errors, strict, `${path}${i}.`) : (item as unknown),
    );
  }
  return isPlain(value) ? instanceOf(type, value, errors, strict, path) : value;
}

/** A body class and the classes of its fields. */
export function classesOf(type: Class<object>): Class<object>[] {
  const nested: Class<object>[] = [];
  for (let at = type.prototype as object | null; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    for (const { nested: classOf } of conversions.get(at)?.values() ?? [])
      if (classOf !== undefined) nested.push(classOf());
  }
  return [type, ...nested.flatMap(classesOf)];
}

/** How the field `key` of a class is made; undefined if its JSON value stays unchanged. */
export function conversionOf(prototype: object | null, key: string): FieldConversion | undefined {
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const conversion = conversions.get(at)?.get(key);
    if (conversion !== undefined) return conversion;
  }
  return undefined;
}
