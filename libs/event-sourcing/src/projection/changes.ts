import type { CollectionShape } from '@assurance/contracts/events/aggregate';

/** The most streams of one organization. The streams that changed longest ago are dropped first. */
const STREAMS_MAX = 100;

/** Which streams of an organization changed lately. The document's id is the organization's id. */
export interface Changes {
  /** Grows by 1 with every noted change. */
  readonly revision: number;
  /** The revision at which each stream changed last. */
  readonly streams: Readonly<Record<string, number>>;
  /** The highest revision of a dropped stream; 0 while none was dropped. */
  readonly forgotten: number;
}

export const changes: CollectionShape<Changes> = { name: 'changes', mergedOften: true, indexes: [] };

/** Adds these streams to the noted changes. Noting the same change twice is harmless. */
export function afterChange(before: Changes | null, streams: readonly string[]): Changes {
  const revision = (before?.revision ?? 0) + 1;
  const all = { ...before?.streams, ...Object.fromEntries(streams.map((stream) => [stream, revision])) };
  const newest = Object.entries(all).sort(([, a], [, b]) => b - a);
  const omittedRevisions = newest.slice(STREAMS_MAX).map(([, at]) => at);
  return {
    revision,
    streams: Object.fromEntries(newest.slice(0, STREAMS_MAX)),
    forgotten: Math.max(before?.forgotten ?? 0, ...omittedRevisions),
  };
}

/** The streams that changed after a revision; null if some of them were dropped. */
export function changedSince({ revision, streams, forgotten }: Changes, since: number): readonly string[] | null {
  // The caller has a higher revision than the store: the store was restored from a backup.
  if (since > revision || since < forgotten) return null;
  return Object.entries(streams)
    .filter(([, at]) => at > since)
    .map(([stream]) => stream);
}
