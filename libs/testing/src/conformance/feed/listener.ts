import { setTimeout as sleep } from 'node:timers/promises';
import type { Commit, Engines, FeedConsumer } from '@assurance/storage-ports';
import { unique } from '../harness';

export type Ports = () => Pick<Engines, 'events' | 'feed'>;

/** Waits until something holds; the test's own time limit ends what never does. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(5);
}

/** A consumer that remembers its deliveries. */
export interface Listener {
  readonly group: string;
  readonly batches: (readonly Commit[])[];
  readonly consumer: FeedConsumer;
  /** Whether each of these came at least once. */
  heard(commits: readonly Commit[]): boolean;
  /** The commits of a stream in the order in which each came first. */
  firsts(stream: string): Commit[];
}

/**
 * Consumes until the test ends (`listening`) or `consumer.stop()`.
 *
 * @param first what the handler does before a batch counts as heard
 */
export type Listen = (options?: {
  readonly group?: string;
  readonly maxBatch?: number;
  readonly first?: (batch: readonly Commit[]) => Promise<void>;
}) => Promise<Listener>;

/** Gives a test its listeners, and stops them after it. */
export function listening(ports: Ports): Listen {
  const consumers: FeedConsumer[] = [];
  afterEach(async () => {
    await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
  });
  return async ({ group = unique('group'), maxBatch = 100, first } = {}) => {
    const batches: (readonly Commit[])[] = [];
    const handle = async (batch: readonly Commit[]) => {
      await first?.(batch);
      batches.push(batch);
    };
    const consumer = await ports().feed.consume(group, handle, { maxBatch });
    consumers.push(consumer);
    const ids = () => new Set(batches.flat().map(({ id }) => id));
    return {
      group,
      batches,
      consumer,
      heard: (commits) => commits.every(({ id }) => ids().has(id)),
      firsts: (stream) => firsts(batches.flat(), stream),
    };
  };
}

function firsts(commits: readonly Commit[], stream: string): Commit[] {
  const seen = new Set<string>();
  return commits.filter((commit) => {
    if (commit.stream !== stream || seen.has(commit.id)) return false;
    seen.add(commit.id);
    return true;
  });
}

/** A promise that a test keeps open until it has looked. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
