/** How many values `$SLOT` has. */
export const SLOTS = 32;

/** A request that the probe repeats. */
export interface ProbeCall {
  /** Its name in figures. */
  readonly name: string;
  readonly method: 'GET' | 'PUT' | 'POST';
  /** Below `/api/v2`. `$SLOT` stands for a number from 0 to 31, another one each time. */
  readonly path: string;
  /** Sent as JSON. `$DIGEST` stands for a digest that is new each time. */
  readonly json?: string;
  /** Sent over a new connection each time. */
  readonly fresh?: true;
}

/** The first line of the probe's standard input. The second line marks the start of the attack, the end of the input its end. */
export interface ProbeRequest {
  readonly url: string;
  readonly key: string;
  /** The calls, which are made in turn. */
  readonly calls: readonly ProbeCall[];
}

/** The result of one call, in milliseconds. */
export interface ProbeResult {
  readonly name: string;
  /** The longest wait before the attack. */
  readonly before: number;
  /** While it ran: when each request was sent (milliseconds since 1970), and how long it waited. */
  readonly during: readonly (readonly [at: number, waited: number])[];
  /** Answers other than 2xx, and faults of the connection: how often each was seen. */
  readonly refused: Readonly<Record<string, number>>;
}
