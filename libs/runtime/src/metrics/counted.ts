import type { AppendOutcome, Engines } from '@assurance/storage-ports';

/** The engines, whose appends are counted by how they ended. */
export function counted(engines: Engines, count: (outcome: AppendOutcome) => void): Engines {
  const { events, feed, documents, blobs } = engines;
  return {
    feed,
    documents,
    blobs,
    events: {
      append: async (commit) => {
        const outcome = await events.append(commit);
        count(outcome);
        return outcome;
      },
      newest: (stream) => events.newest(stream),
      read: (stream, from, limit) => events.read(stream, from, limit),
      bySnapshot: (stream, snapshot) => events.bySnapshot(stream, snapshot),
      asOf: (stream, at) => events.asOf(stream, at),
      recentOf: (actor, since) => events.recentOf(actor, since),
      scan: (after, limit) => events.scan(after, limit),
      putData: (org, text) => events.putData(org, text),
      readData: (org, digest) => events.readData(org, digest),
    },
    problems: () => engines.problems(),
    close: () => engines.close(),
  };
}
