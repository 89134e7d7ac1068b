import type { CollectionShape } from '@assurance/contracts/events/aggregate';

/** How many streams are remembered; those that changed longest ago are forgotten first. */
const STREAMS_MAX = 100;

/** Which streams of an organization changed lately. The document's id is the organization's. */
export interface Changes {
  /** Counts the times that something changed. */
  readonly revision: number;
  /** The revision at which each stream changed last. */
  readonly streams: Readonly<Record<string, number>>;
  /** The greatest revision of a stream that was forgotten; 0 while none was. */
  readonly forgotten: number;
}

export const changes: CollectionShape<Changes> = { name: 'changes', mergedOften: true, indexes: [] };

/** The changes after these streams changed. Once more than needed does no harm. */
export function afterChange(before: Changes | null, streams: readonly string[]): Changes {
  const revision = (before?.revision ?? 0) + 1;
  const all = { ...before?.streams, ...Object.fromEntries(streams.map((stream) => [stream, revision])) };
  const newest = Object.entries(all).sort(([, a], [, b]) => b - a);
  const gone = newest.slice(STREAMS_MAX).map(([, at]) => at);
  return {
    revision,
    streams: Object.fromEntries(newest.slice(0, STREAMS_MAX)),
    forgotten: Math.max(before?.forgotten ?? 0, ...gone),
  };
}

/** The streams that changed after a revision; null where it is no longer known which. */
export function changedSince({ revision, streams, forgotten }: Changes, since: number): readonly string[] | null {
  // A revision that is still to come is one of a store that was put back.
  if (since > revision || since < forgotten) return null;
  return Object.entries(streams)
    .filter(([, at]) => at > since)
    .map(([stream]) => stream);
}
