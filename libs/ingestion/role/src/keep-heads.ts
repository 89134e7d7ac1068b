import type { Commit } from '@assurance/storage-ports';
import { kindOf } from '@assurance/contracts-events';
import { aggregates } from './aggregates';
import type { Streams } from './streams';

/**
 * Writes heads that are behind: whoever committed may have died before it wrote them. Reads each stream of the batch once.
 *
 * @returns streams of a kind that is not known here
 */
export async function keepHeads(streams: Streams, batch: readonly Commit[]): Promise<string[]> {
  const newest = new Map<string, number>();
  for (const { stream, seq } of batch) newest.set(stream, Math.max(seq, newest.get(stream) ?? 0));
  const unknown: string[] = [];
  for (const [stream, seq] of newest) {
    const aggregate = aggregates.get(kindOf(stream));
    if (aggregate === undefined) {
      unknown.push(stream);
      continue;
    }
    const head = await streams.heads(aggregate).get(stream);
    if (head === null || head.seq < seq || head.fold < aggregate.fold) await streams.load(aggregate, stream);
  }
  return unknown;
}
