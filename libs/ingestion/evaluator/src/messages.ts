/** What a type of attestations asks of its data (WIRE 11). */
export interface Demands {
  /** JSON text; null: any data will do. */
  readonly schema: string | null;
  /** jq programs: each must yield true. */
  readonly rules: readonly string[];
}

/** Work that the evaluating thread is given. */
export type Job =
  | {
      readonly kind: 'check';
      readonly schema: string | null;
      /** jq programs that are to be compiled and not run. */
      readonly programs: readonly string[];
    }
  | { readonly kind: 'evaluate'; readonly demands: Demands; /** JSON text. */ readonly data: string };

/** Something that cannot be compiled: the schema, or the program at this place of the list. */
export interface Problem {
  readonly what: 'schema' | number;
  readonly text: string;
}

/** How data meets demands. */
export type Evaluation =
  /** The data is not what the schema describes: where, as a JSON pointer, and what. */
  | { readonly kind: 'unfit'; readonly at: string; readonly text: string }
  /** Whether each rule yielded true, in their order. */
  | { readonly kind: 'fit'; readonly held: readonly boolean[] };

/** What the evaluating thread says. */
export type Said =
  | { readonly kind: 'ready' }
  /** It is working on a program or on the schema: should it go no further, that is what it was. */
  | { readonly kind: 'at'; readonly what: Problem['what'] }
  | { readonly kind: 'checked'; readonly problems: readonly Problem[]; readonly spent: boolean }
  /** `spent`: the thread should not be used again, since something in it broke or grew. */
  | { readonly kind: 'evaluated'; readonly evaluation: Evaluation; readonly spent: boolean };
