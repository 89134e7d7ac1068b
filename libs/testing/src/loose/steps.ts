/** Steps of a loose engine, before or after which the process may stop. */
export type Step =
  | 'events.append'
  | 'events.appended'
  | 'events.put-data'
  | 'events.drop-data'
  | 'events.remove-stream'
  | 'events.remove-data'
  | 'events.read'
  | 'documents.write'
  | 'documents.written'
  | 'documents.merge'
  | 'documents.merged'
  | 'documents.read'
  | 'feed.batch'
  | 'feed.handled'
  | 'blobs.put'
  | 'blobs.stored'
  | 'blobs.read'
  | 'blobs.sweep'
  | 'blobs.withdraw';

export interface LooseOptions {
  /** From 0 to below 1, as `Math.random`; seed it, and a run can be had again. */
  readonly random: () => number;
  /**
   * Called at every step. What it throws comes out of the operation, as if the process had ended there: what was written before stays, the rest
   * never happens. A promise holds the operation up, so that a test can put another one in between.
   */
  readonly onStep?: (step: Step) => void | Promise<void>;
}

/** Options with which every step yields to others. */
export interface Loose {
  readonly random: () => number;
  readonly step: (step: Step) => Promise<void>;
}

export function looseness({ random, onStep }: LooseOptions): Loose {
  return {
    random,
    async step(step) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      await onStep?.(step);
    },
  };
}
