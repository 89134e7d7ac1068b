import type { Tracing } from './tracing/tracing';

/** The inputs of engines. Engines use this clock and this random source, and no others. */
export interface EngineSources {
  /** Integer milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that never jumps. */
  readonly steady: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Receives faults that no caller waits for. */
  readonly onFault: (fault: unknown) => void;
  /**
   * Whether this process copies commits to the feed, or is ready to take over. It has no effect if the feed reads the store
   * itself.
   */
  readonly relays: boolean;
  /** Whether this process publishes public events if a topic for them is configured. */
  readonly tellsOthers?: boolean;
  /** Null: nothing is traced. */
  readonly tracing?: Tracing | null;
}
