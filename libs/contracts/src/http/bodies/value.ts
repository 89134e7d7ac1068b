import { echo, input, isRawNumber } from '@assurance/kernel';
import type { FieldErrors } from '../params';
import type { Shape } from '../shape';
import { isPlain } from './plain';

/** Returns the value of a valid body. Unchanged parts are the given objects themselves, so that they need no memory twice. */
export function bodyValue<T>(shape: Shape<T>, body: unknown): T {
  return valueOf(shape, body) as T;
}

/** The JSON value as its shape checks it. */
export function prepareValue({ prepare }: Shape<unknown>, raw: unknown): unknown {
  return prepare === undefined ? raw : prepare(raw);
}

/** The path of a part of a value; of the value itself if the part is empty. */
export function below(path: string, part: string): string {
  if (part === '') return path;
  return path === '' ? echo(part) : `${path}.${echo(part)}`;
}

function valueOf(shape: Shape<unknown>, raw: unknown): unknown {
  const { fields, each, convert } = shape;
  let value = prepareValue(shape, raw);
  // Null is the same as nothing.
  if (value === null) return undefined;
  if (fields !== undefined) value = isPlain(value) ? objectOf(value, planOf(fields)) : value;
  // Only objects hold parts that change.
  else if (each?.fields !== undefined)
    value = Array.isArray(value) ? listOf(value, each) : isPlain(value) ? mapOf(value, each) : value;
  return convert === undefined ? value : convert(value);
}

/** The shapes of fields by name; null for fields whose values stay as they are. Large reports are made by it, so it is made once. */
type Plan = ReadonlyMap<string, Shape<unknown> | null>;

const plans = new WeakMap<object, Plan>();

function planOf(fields: ReadonlyMap<string, Shape<unknown>>): Plan {
  const cached = plans.get(fields);
  if (cached !== undefined) return cached;
  const plan = new Map([...fields].map(([key, field]) => [key, changes(field) ? field : null]));
  plans.set(fields, plan);
  return plan;
}

const changes = ({ fields, each, prepare, convert }: Shape<unknown>): boolean =>
  [fields, each?.fields, prepare, convert].some((way) => way !== undefined);

/** Fields that the plan does not have are dropped, and so is null. */
function objectOf(raw: Readonly<Record<string, unknown>>, plan: Plan): Readonly<Record<string, unknown>> {
  let value = raw as Record<string, unknown>;
  for (const key of Object.keys(raw)) {
    const was = raw[key];
    const shape = plan.get(key);
    const now = shape === undefined ? undefined : shape === null ? (was ?? undefined) : valueOf(shape, was);
    if (now === was) continue;
    if (value === raw) value = { ...raw };
    if (now === undefined) delete value[key];
    else value[key] = now;
  }
  return value;
}

function mapOf(raw: Readonly<Record<string, unknown>>, values: Shape<unknown>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(raw).map(([key, was]): [string, unknown] => [key, valueOf(values, was)]);
  return entries.every(([key, now]) => now === raw[key]) ? raw : Object.fromEntries(entries);
}

function listOf(raw: readonly unknown[], items: Shape<unknown>): readonly unknown[] {
  let list: unknown[] | null = null;
  for (const [i, was] of raw.entries()) {
    const now = valueOf(items, was);
    if (now !== was) (list ??= [...raw])[i] = now;
  }
  return list ?? raw;
}

/** Errors for numbers that no double holds, by path. Values that are stored as they were sent are excluded, because they keep all digits. */
export function rawNumbers(shape: Shape<unknown>, value: unknown): FieldErrors {
  const errors = new Map<string, string>();
  findRawNumbers(shape, value, '', errors);
  return Object.fromEntries(errors);
}

function findRawNumbers(
  shape: Shape<unknown> | undefined,
  value: unknown,
  path: string,
  errors: Map<string, string>,
): void {
  if (shape?.asSent === true) return;
  if (isRawNumber(value))
    errors.set(path, `A number here should be one that 64 bits of floating point hold ${input(value)}`);
  else if (typeof value === 'object' && value !== null) {
    const fields = Array.isArray(value) ? undefined : shape?.fields;
    for (const [key, inner] of Object.entries(value)) {
      // Unknown properties are dropped, or refused by name.
      if (fields?.has(key) === false) continue;
      findRawNumbers(fields === undefined ? shape?.each : fields.get(key), inner, below(path, key), errors);
    }
  }
}
