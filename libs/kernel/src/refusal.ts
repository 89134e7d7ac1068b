/** A text for each wrong field, by the path of the field. */
export type Errors = Readonly<Record<string, string>>;

/** The part of a refusal that the caller sees. The HTTP layer turns the problem into a status. */
export type Problem =
  | {
      readonly problem: 'bad-request' | 'forbidden' | 'not-found' | 'gone' | 'conflict' | 'over-limit' | 'unavailable';
      readonly message: string;
      /** Seconds after which the caller may try again. */
      readonly retryAfter?: number;
    }
  /** The request has fields with invalid values. */
  | { readonly problem: 'invalid'; readonly errors: Errors };

export const badRequest = (message: string): Problem => ({ problem: 'bad-request', message });
export const notPermitted = (message: string): Problem => ({ problem: 'forbidden', message });
export const notFound = (message: string): Problem => ({ problem: 'not-found', message });
export const gone = (message: string): Problem => ({ problem: 'gone', message });
export const conflict = (message: string): Problem => ({ problem: 'conflict', message });
export const overLimit = (message: string): Problem => ({ problem: 'over-limit', message });
export const invalidFields = (errors: Errors): Problem => ({ problem: 'invalid', errors });

/** The refusals of a feature: the problem of each kind. The parameter of an entry declares the data of that refusal. */
export type Refusals = Readonly<Record<string, (refusal: never) => unknown>>;

/** The refusals that a table declares, or only the given kinds of them: `{ kind, ...data }`. */
export type RefusalOf<Table extends Refusals, Kind extends keyof Table = keyof Table> = {
  [K in Kind & string]: { readonly kind: K } & (Parameters<Table[K]> extends [infer Data] ? Readonly<Data> : unknown);
}[Kind & string];
