import type { Class } from '../route';
import { type Making, makingOf } from './instance';
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
