/** What the public interface has of one operation. `shape.ts` says how shapes are written. */
export interface Operation {
  /** Names of query parameters, with blanks between them; `!` after a name: it must be there; `*`: it repeats. */
  readonly query?: string;
  /** The shape of a JSON body. */
  readonly body?: string;
  /** The shape of a form: its parts. A part that is an object is sent as JSON. */
  readonly form?: string;
  /** The shape of the JSON answer: what is required there, with its types. Absent: it is not known, or any. */
  readonly answer?: string;
  // The media type of an answer that is a file; `*/*`: any.
  readonly file?: string;
}

/** Operations by method and path below `/api/v2`. Only the places of parameters in paths count, their names do not. */
export type Operations = Readonly<Record<string, Operation>>;
