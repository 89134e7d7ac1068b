import { JSONSchema } from 'class-validator-jsonschema';
import type { Class } from '../route';
import type { JsonSchema } from '../shape';

/** A rule for the value of a field: a decorator of class-validator that also has the type of the value. */
export interface Rule<T> {
  (target: object, key: string | symbol): void;
  /** Never set; it carries the type. */
  readonly type?: T;
}

/** A rule, or a `Doc` with the meaning of the field and then its rule. */
type Field = Rule<unknown> | readonly [doc: Rule<unknown>, rule: Rule<unknown>];
type Fields = Readonly<Record<string, Field>>;

type ValueOf<F> = F extends readonly [unknown, Rule<infer T>] ? T : F extends Rule<infer T> ? T : never;
type Simple<T> = { readonly [K in keyof T]: T[K] } & unknown;
/** The type of a body with these fields. */
export type BodyOf<F extends Fields> = Simple<
  { [K in keyof F as undefined extends ValueOf<F[K]> ? never : K]: ValueOf<F[K]> } & {
    [K in keyof F as undefined extends ValueOf<F[K]> ? K : never]?: ValueOf<F[K]>;
  }
>;

/**
 * A class for bodies or parts of bodies. It is the one definition for rules, schema and type.
 *
 * @param name the name of the component in the OpenAPI document
 * @param whole keywords of the JSON schema that no rule of a single field expresses
 */
export function body<F extends Fields>(name: string, fields: F, whole: JsonSchema = {}): Class<BodyOf<F>> {
  const type = { [name]: class {} }[name] as Class<BodyOf<F>>;
  for (const [key, field] of Object.entries<Field>(fields)) {
    const [doc, rule] = typeof field === 'function' ? [undefined, field] : field;
    rule(type.prototype, key);
    doc?.(type.prototype, key);
  }
  JSONSchema(whole as never)(type);
  return type;
}

const closedClasses = new WeakSet<Class<object>>();

/** A class for bodies or parts of bodies that refuses unknown properties and names them. */
export function closed<F extends Fields>(name: string, fields: F): Class<BodyOf<F>> {
  const type = body(name, fields, { additionalProperties: false });
  closedClasses.add(type);
  return type;
}

/** Whether objects of a class refuse unknown properties. */
export const isClosed = (type: Class<object>): boolean => closedClasses.has(type);
