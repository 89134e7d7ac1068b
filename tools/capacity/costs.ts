/** Milliseconds of one core. */
export interface Cost {
  readonly unchanged: number;
  readonly changed: number;
}

/**
 * The cost of one report for each part of the scaled engines. `measured` names the section of docs/benchmarks.md that a figure comes from; a figure
 * without it is assumed. Replace figures by your own: `npm run capacity -- --costs FILE` reads JSON of the same form and keeps the rest.
 *
 * CPU is milliseconds of one core. A run on a busy machine measured each process of a changed report. It measured an unchanged report as a whole
 * (1.24 ms), which is divided between gateway and ingestion by estimate.
 */
export const COSTS = {
  gateway: { unchanged: 0.45, changed: 0.89, measured: 'The scaled engines' },
  ingestion: { unchanged: 0.79, changed: 2.07, measured: 'The scaled engines' },
  projection: { unchanged: 0, changed: 1.55, measured: 'The scaled engines' },
  mongodb: { unchanged: 0.3, changed: 3.02, measured: 'The scaled engines (changed)' },
  kafka: { unchanged: 0, changed: 1.12, measured: 'The scaled engines' },
  /** Bytes that stay of one changed report of 10 artifacts: its commit, and the documents and indexes made from it. */
  bytes: { commit: 1_481, documents: 3_825, measured: 'Disk' },
  /** Commits a second that the one process publishes which takes them to Kafka. */
  relay: { commits: 5_000, measured: null },
  /** Changed reports a second that one environment takes: its stream has one commit under way at a time. */
  environment: { changed: 50, measured: null },
};

/** The assumed machines. */
export const MACHINES = {
  /** A Node process answers on one thread. */
  serviceCores: 1,
  /** Cores of the primary of one shard. */
  shardCores: 16,
  brokerCores: 8,
  /** Copies of each byte: members of a replica set, replicas of a partition. */
  copies: 3,
  /** A part may be so busy on average, so that peaks and the loss of one instance find room. */
  busy: 0.6,
};
