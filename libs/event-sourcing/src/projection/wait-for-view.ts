import { yieldSlotWhile } from '@assurance/kernel';
import type { EventStore, StreamPosition } from '@assurance/storage-ports';
import type { Clock } from '../tokens';
import type { View } from './view';
import type { ViewCheckpoints } from './view-checkpoints';

/** Queries wait for writes of the caller that are at most this old (milliseconds). Older writes count as contained in the view. */
const RECENT_MS = 30_000;
/** How long a query waits for its caller's own writes (milliseconds). */
const WAIT_MS = 2_000;

/**
 * Reads after writes: waits until a view contains the recent commits of the caller.
 *
 * @param checkpoints the checkpoints of the generation that the query reads
 * @returns 0, or how many seconds the view is still behind after the longest wait; the answer states them in `X-Assurance-Behind`
 */
export async function waitForView(
  events: Pick<EventStore, 'recentOf'>,
  checkpoints: Pick<ViewCheckpoints, 'of' | 'reach'>,
  { kinds }: Pick<View, 'kinds'>,
  actor: string,
  clock: Clock,
): Promise<number> {
  const start = clock.steady();
  // The earlier of both times: a clock that was set forward after the write must not make the write look old.
  let behind = await events.recentOf(actor, Math.min(clock.earliest(), clock.now() - RECENT_MS), kinds);
  if (behind.length > 0) behind = await laggingPositions(checkpoints, behind);
  if (behind.length === 0) return 0;
  const latePositions = behind;
  return yieldSlotWhile(async () => {
    const remainingMs = WAIT_MS - (clock.steady() - start);
    if (remainingMs > 0 && (await checkpoints.reach(latePositions, remainingMs))) return 0;
    return Math.max(1, Math.ceil((clock.steady() - start) / 1000));
  });
}

async function laggingPositions(
  checkpoints: Pick<ViewCheckpoints, 'of'>,
  positions: readonly StreamPosition[],
): Promise<StreamPosition[]> {
  const lagging: StreamPosition[] = [];
  for (let i = 0; i < positions.length; i += 500) {
    const some = positions.slice(i, i + 500);
    const reached = await checkpoints.of(some.map(({ stream }) => stream));
    lagging.push(...some.filter(({ stream, seq }) => reached(stream) < seq));
  }
  return lagging;
}
