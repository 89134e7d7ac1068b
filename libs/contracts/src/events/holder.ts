/** The present state of the aggregate that holds a name. */
export interface Holder {
  /** Its present name. */
  readonly name: string;
  /** The seq of its stream. */
  readonly seq: number;
}
