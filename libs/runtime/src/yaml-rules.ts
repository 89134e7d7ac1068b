import type { Rule } from '@assurance/contracts/http/bodies/body';
import { isPlain } from '@assurance/contracts/http/bodies/plain';
import { all, Items, Parts } from '@assurance/contracts/http/bodies/rules';
import { fieldsOf } from '@assurance/contracts/http/bodies/schema';
import type { FieldErrors } from '@assurance/contracts/http/params';
import type { Class } from '@assurance/contracts/http/route';

/** Returns the second half of a sentence about a wrong value; null if the value is right. */
type Problem<Value> = (value: Value) => string | null;

const Holds = <T>(problem: Problem<unknown>, schema: Parameters<typeof Parts>[1]): Rule<T> =>
  Parts((value): FieldErrors => {
    const wrong = value === undefined || value === null ? 'is missing' : problem(value);
    return wrong === null ? {} : { '': wrong };
  }, schema);

/** A text of a YAML file. */
export const YamlText = (problem: Problem<string> = () => null): Rule<string> =>
  Holds((value) => (typeof value === 'string' ? problem(value) : 'must be a text; put it in quotes'), {
    type: 'string',
  });

/** One of the given words. */
export const YamlWord = <const T extends string>(values: readonly T[]): Rule<T> =>
  YamlText((text) =>
    values.some((value) => value === text) ? null : `is '${text}', but must be one of ${values.join(', ')}`,
  ) as Rule<T>;

/** A time in whole epoch seconds. */
export const YamlSeconds = (): Rule<number> =>
  Holds(
    (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
        ? null
        : 'must be epoch seconds as a whole number, 0 for never',
    { type: 'integer', minimum: 0 },
  );

export const YamlFlag = (): Rule<boolean> =>
  Holds((value) => (typeof value === 'boolean' ? null : 'must be true or false'), { type: 'boolean' });

/** A list of maps, each with the fields of a class. */
export const YamlList = <T extends object>(type: () => Class<T>): Rule<readonly T[]> =>
  all(
    Parts(
      (value) => {
        if (!Array.isArray(value)) return { '': 'must be a list' };
        return Object.fromEntries(
          value.flatMap((item, at) => (isPlain(item) ? [] : [[String(at), mapOf(type())] as const])),
        );
      },
      { type: 'array' },
    ),
    Items(type),
  );

/** The problem of a value that is not a map, with the fields that it should have. */
export function mapOf(type: Class<object>): string {
  return `must be a map of ${fieldsOf(type).join(', ')}`;
}
