import { StoreUnavailable } from '@assurance/storage-ports';
import { isPassing, portErrorOf } from './faults';
import type { PendingOperations } from './pending-operations';

/** The dependencies of the engine, which reads neither clock nor random source itself. */
export interface EngineDependencies {
  /** Integer milliseconds since 1970. */
  readonly now: () => number;
  /** A steady clock in milliseconds, so that a change of the system time neither extends nor ends a wait. */
  readonly steady: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

export interface Persist {
  /** Runs a repeatable step, and repeats it after temporary errors. */
  <T>(step: () => Promise<T | typeof RETRY>): Promise<T>;
  /**
   * Runs a step that must not be repeated, because its result is unknown when the connection breaks. It throws the same
   * errors.
   */
  once<T>(step: () => Promise<T>): Promise<T>;
}

/** The result of a step that saw unsettled data, such as a write without a majority. */
export const RETRY = Symbol('again');

/** How long a step is repeated (milliseconds). A new primary takes over within this time. */
const RETRY_MS = 15_000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Repeats a step after errors that may pass, with growing pauses and jitter, for at most 15 s.
 *
 * The returned function throws `StoreUnavailable` when it gives up, `StoreFull`, or the step's own error.
 */
export function persistence(
  { steady, random }: Pick<EngineDependencies, 'steady' | 'random'>,
  underWay: PendingOperations,
): Persist {
  const persist = async <T>(step: () => Promise<T | typeof RETRY>): Promise<T> => {
    const until = steady() + RETRY_MS;
    // The first repeat follows at once, because usually it only reads which commit won.
    for (let pause = 0; ; pause = Math.min(Math.max(pause * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)) {
      let cause: unknown;
      try {
        const result = await underWay.run(step);
        if (result !== RETRY) return result;
      } catch (error) {
        if (!isPassing(error)) throw portErrorOf(error);
        cause = error;
      }
      if (steady() >= until) throw new StoreUnavailable('MongoDB does not settle a write or a read', { cause });
      const jitter = (random(1)[0] ?? 0) / 255;
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + jitter)));
    }
  };
  const runOnce = async <T>(step: () => Promise<T>): Promise<T> => {
    try {
      return await underWay.run(step);
    } catch (error) {
      throw portErrorOf(error);
    }
  };
  return Object.assign(persist, { once: runOnce });
}
