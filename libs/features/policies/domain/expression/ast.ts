/** A literal value of an expression. */
export type Literal = string | number | boolean | null;

/** The properties of an artifact, and of a flow that knows it, that an expression can read. */
export type Path =
  | { readonly of: 'flow'; readonly field: 'name' }
  | { readonly of: 'flow'; readonly field: 'tags'; readonly key: string }
  | { readonly of: 'artifact'; readonly field: 'name' | 'fingerprint' };

export type Operand =
  { readonly kind: 'literal'; readonly value: Literal } | { readonly kind: 'path'; readonly path: Path };

export const OPERATORS = ['==', '!=', '<=', '>=', '<', '>'] as const;
export type Operator = (typeof OPERATORS)[number];

/** An expression that is true or false. */
export type Condition =
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'compare'; readonly operator: Operator; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'in'; readonly item: Operand; readonly list: readonly Literal[] }
  | { readonly kind: 'exists'; readonly value: Operand }
  | { readonly kind: 'matches'; readonly value: Operand; readonly pattern: string }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] };
