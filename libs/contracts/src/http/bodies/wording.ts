import { input } from '@assurance/kernel';
import { patternMessage } from '../patterns';
import type { Shape } from '../shape';

/** The text of a refusal of a value. */
type Text = (shape: Shape<unknown>, value: unknown) => string;

/** The texts of refusals: of a missing field, and of a value by the name of the decorator that refuses it. */
export interface Wording {
  readonly missing: Text;
  readonly isString: Text;
  readonly isIn: Text;
  readonly minLength: Text;
  readonly maxLength: Text;
  readonly matches: Text;
  readonly isInt: Text;
  readonly isNumber: Text;
  readonly min: Text;
  readonly max: Text;
  readonly isBoolean: Text;
  readonly isArray: Text;
  readonly arrayMaxSize: Text;
  readonly isObject: Text;
}

const should =
  (text: string): Text =>
  (_, value) =>
    `Input should be ${text} ${input(value)}`;

const beyond =
  (limit: (schema: Shape<unknown>['schema']) => string): Text =>
  ({ problem, schema }, value) =>
    `${problem ?? `Input should ${limit(schema)}`} ${input(value)}`;

const plural = (count: unknown, noun: string) => `${String(count)} ${noun}${count === 1 ? '' : 's'}`;

/** The words that a shape allows, as messages list them. */
export const wordsOf = ({ schema }: Shape<unknown>): readonly string[] =>
  ((schema['enum'] ?? []) as readonly (string | null)[]).filter((word) => word !== null);

/** The texts that clients of the API read. */
export const API_WORDING: Wording = {
  missing: () => 'Field required',
  isString: should('a text'),
  isIn: (shape, value) =>
    `Input should be ${wordsOf(shape)
      .map((word) => `'${word}'`)
      .join(', ')} ${input(value)}`,
  minLength: beyond(({ minLength }) => `have at least ${plural(minLength, 'character')}`),
  maxLength: beyond(({ maxLength }) => `have at most ${String(maxLength)} characters`),
  matches: ({ pattern }, value) => (pattern === undefined ? '' : patternMessage(pattern, value)),
  isInt: should('a whole number'),
  isNumber: should('a number'),
  min: beyond(({ minimum }) => `be at least ${String(minimum)}`),
  max: beyond(({ maximum }) => `be at most ${String(maximum)}`),
  isBoolean: should('true or false'),
  isArray: (shape, value) => `Input should be a list${itemsOf(shape)} ${input(value)}`,
  arrayMaxSize: ({ schema, noun = 'items' }) => `Input should have at most ${String(schema['maxItems'])} ${noun}`,
  isObject: should('an object'),
};

function itemsOf({ noun, each }: Shape<unknown>): string {
  if (noun !== undefined) return ` of ${noun}`;
  if (each?.schema['type'] !== 'string') return '';
  return each.schema['enum'] === undefined ? ' of texts' : ' of words';
}
