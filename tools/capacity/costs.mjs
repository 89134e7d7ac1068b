/**
 * What one report costs each part of the scaled engines. `measured` names the section of docs/benchmarks.md that a figure comes from; a figure
 * without it is assumed. Replace figures by your own: `npm run capacity -- --costs FILE` reads JSON of the same form and keeps the rest.
 *
 * CPU is milliseconds of one core. The services' CPU on the quiet machine (7.81 ms changed, 1.67 unchanged) is divided between them, and MongoDB's
 * is scaled, as the run that measured each of them says (8.7, 4.5, 3.8 and 8.8 ms on a busy machine).
 */
export const COSTS = {
  gateway: { unchanged: 0.6, changed: 1.75, measured: 'The scaled engines' },
  ingestion: { unchanged: 1.07, changed: 4.0, measured: 'The scaled engines' },
  projection: { unchanged: 0, changed: 2.07, measured: 'The scaled engines' },
  mongodb: { unchanged: 0.3, changed: 4.04, measured: 'The scaled engines (changed)' },
  kafka: { unchanged: 0, changed: 0.2, measured: null },
  /** Bytes that stay of one changed report of 10 artifacts: its commit, and the documents and indexes made from it. */
  bytes: { commit: 1_481, documents: 3_825, measured: 'Disk' },
  /** Commits a second that the one process publishes which takes them to Kafka. */
  relay: { commits: 5_000, measured: null },
  /** Changed reports a second that one environment takes: its stream has one commit under way at a time. */
  environment: { changed: 50, measured: null },
};

/** What machines are assumed to be like. */
export const MACHINES = {
  /** A Node process answers on one thread. */
  serviceCores: 1,
  /** Cores of the primary of one shard. */
  shardCores: 16,
  brokerCores: 8,
  /** Copies of each byte: members of a replica set, replicas of a partition. */
  copies: 3,
  /** Days that Kafka keeps messages. */
  kafkaDays: 7,
  /** A part may be so busy on average, so that peaks and the loss of one instance find room. */
  busy: 0.6,
};
