/** An event for programs outside of the service: what CloudEvents 1.0 calls attributes, and its data. */
export interface PublicEvent {
  /** The same event always has the same one: consumers deduplicate by it. */
  readonly id: string;
  /** A URI reference. */
  readonly source: string;
  /** With its version, such as `assurance.trail.begun.v1`. */
  readonly type: string;
  readonly subject: string;
  /** When it happened: integer milliseconds since 1970. */
  readonly at: number;
  /** Events of one key keep their order. */
  readonly key: string;
  readonly data: object;
}
