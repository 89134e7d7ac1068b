import { echo, input } from '@assurance/kernel';
import { isClosed } from '../../http/bodies/body';
import { isPlain } from '../../http/bodies/plain';
import type { Class } from '../../http/route';

/** How a field of a body class is made from what was given. */
export interface FieldConversion {
  readonly nested?: () => Class<object>;
  /** Changes what was given before it is checked. */
  readonly change?: (value: unknown) => unknown;
  /** Gives a valid value its form in the value of the body. */
  readonly form?: (valid: unknown) => unknown;
  /** Its content is kept as it was sent: numbers in it may have more digits than doubles hold. */
  readonly free?: true;
}

const makings = new Map<object, Map<string, FieldConversion>>();

/** Says how a field is made; used by decorators. */
export function convertField(target: object, key: string, making: FieldConversion): void {
  const fields = makings.get(target) ?? new Map<string, FieldConversion>();
  fields.set(key, { ...fields.get(key), ...making });
  makings.set(target, fields);
}

/** Changes what was given for a field before it is checked. */
export const Preprocess =
  (change: (value: unknown) => unknown): PropertyDecorator =>
  (target, key) =>
    convertField(target, String(key), { change });

/** Gives a valid value of a field another form in the value of the body. */
export const As =
  (form: (valid: unknown) => unknown): PropertyDecorator =>
  (target, key) =>
    convertField(target, String(key), { form });

/** Says that the content of a field is kept as it was sent. */
export const Free: PropertyDecorator = (target, key) => convertField(target, String(key), { free: true });

/**
 * An object of a body class from parsed JSON, with all that was given. class-transformer would walk into free-form maps and take a key
 * `constructor` for a class, and class-validator finds its rules by `constructor`: names that every object has are left out.
 *
 * @param errors gets those names where unknown properties are errors
 * @param strict they are errors in each class, not only in closed ones
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
  making: FieldConversion | undefined,
  raw: unknown,
  errors: Map<string, string>,
  strict: boolean,
  path: string,
): unknown {
  const value = making?.change === undefined ? raw : making.change(raw);
  const type = making?.nested?.();
  if (type === undefined) return value;
  if (Array.isArray(value)) {
    return value.map((item, i) =>
      isPlain(item) ? instanceOf(type, item, errors, strict, `${path}${i}.`) : (item as unknown),
    );
  }
  return isPlain(value) ? instanceOf(type, value, errors, strict, path) : value;
}

/** A body class and the classes that its fields are made of. */
export function classesOf(type: Class<object>): Class<object>[] {
  const nested: Class<object>[] = [];
  for (let at = type.prototype as object | null; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    for (const making of makings.get(at)?.values() ?? []) if (making.nested !== undefined) nested.push(making.nested());
  }
  return [type, ...nested.flatMap(classesOf)];
}

/** How the field `key` of a class is made; undefined when it stays as it was given. */
export function conversionOf(prototype: object | null, key: string): FieldConversion | undefined {
  for (let at = prototype; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const making = makings.get(at)?.get(key);
    if (making !== undefined) return making;
  }
  return undefined;
}
