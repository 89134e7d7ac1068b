/** The current state of the aggregate that holds a name. */
export interface Holder {
  /** Its current name. */
  readonly name: string;
  /** The seq of its stream. */
  readonly seq: number;
}
