import type { AppendOutcome, Blobs, Commit, Engines } from '@assurance/storage-ports';
import { withAppend } from '../with-append';

/** Callbacks for stored and removed content. */
export interface Counts {
  readonly appended: (outcome: AppendOutcome, commit: Commit) => void;
  /** @param bytes the stored bytes; negative for removed bytes */
  readonly blobs: (org: string, bytes: number) => void;
}

/** Engines that report their appends and blobs to `counts`. */
export function withCounts(engines: Engines, counts: Counts): Engines {
  const { events, feed, documents, blobs } = engines;
  return {
    feed,
    documents,
    blobs: countedBlobs(blobs, counts),
    events: withAppend(events, async (commit) => {
      const outcome = await events.append(commit);
      counts.appended(outcome, commit);
      return outcome;
    }),
    problems: () => engines.problems(),
    close: () => engines.close(),
  };
}

function countedBlobs(blobs: Blobs, counts: Pick<Counts, 'blobs'>): Blobs {
  return {
    async put(org, content, limit) {
      const stored = await blobs.put(org, content, limit);
      if (stored.added) counts.blobs(org, stored.size);
      return stored;
    },
    async withdraw(org, sha256, revision) {
      const size = (await blobs.stat(org, sha256))?.size ?? 0;
      const isGone = await blobs.withdraw(org, sha256, revision);
      if (isGone) counts.blobs(org, -size);
      return isGone;
    },
    async sweep(org, piece, isNamed) {
      const swept = await blobs.sweep(org, piece, isNamed);
      counts.blobs(org, -swept.bytes);
      return swept;
    },
    stat: (org, sha256) => blobs.stat(org, sha256),
    open: (org, sha256) => blobs.open(org, sha256),
    list: (org) => blobs.list(org),
    sweepBroken: (piece) => blobs.sweepBroken(piece),
    ...(blobs.isLost === undefined ? {} : { isLost: blobs.isLost.bind(blobs) }),
    ...(blobs.move === undefined ? {} : { move: blobs.move.bind(blobs) }),
  };
}
