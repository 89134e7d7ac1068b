import { simulate } from './simulate.mjs';

/** Nobody should wait longer in the queue of one part (milliseconds, of one report in a hundred). */
const WAIT_MS = 100;
/** The busiest instance may be so busy. */
const BUSIEST = 0.85;
/** Partitions of the topic as the service makes it. */
const PARTITIONS = 12;
const GB = 1e9;
const YEAR = 365 * 86_400;

/**
 * How much of everything a load needs.
 *
 * @param {{reports: number, environments: number, changed: number}} load reports a second, and the part of them that change something
 * @returns parts with how many of each, disk, and the limits in the order in which they are reached as the load grows
 */
export function plan(load, costs, machines) {
  const commits = load.reports * load.changed;
  const sized = (name, cores, least = 2, spread = load) => ({
    name,
    ...enough(spread, costs[name], cores, machines.busy, least),
  });
  const projection = sized('projection', machines.serviceCores);
  const parts = [
    // Load balancers choose among gateways for each connection, whatever environment it is about.
    sized('gateway', machines.serviceCores, 2, { ...load, environments: Math.max(load.environments, load.reports) }),
    sized('ingestion', machines.serviceCores),
    projection,
    sized('mongodb', machines.shardCores, 1),
    sized('kafka', machines.brokerCores, machines.copies),
  ];
  const partitions = Math.max(PARTITIONS, Math.ceil((projection.count * 2) / PARTITIONS) * PARTITIONS);
  const { commit, documents } = costs.bytes;
  return {
    commits,
    parts,
    partitions,
    disk: {
      year: (commits * YEAR * (commit + documents) * machines.copies) / GB,
      kafka: (commits * 86_400 * machines.kafkaDays * commit * machines.copies) / GB,
    },
    limits: limitsOf(load, commits, parts, costs, machines),
  };
}

/** The smallest number of instances of which the busiest one keeps up. */
function enough(load, cost, cores, busy, least) {
  const { reports, changed } = load;
  const milliseconds = cost.unchanged * (1 - changed) + cost.changed * changed;
  const needed = (reports * milliseconds) / 1_000;
  for (let count = Math.max(least, Math.ceil(needed / (cores * busy))); ; count = Math.ceil(count * 1.05 + 0.5)) {
    const { busiest, p50, p99 } = simulate({ ...load, servers: count, cores, cost });
    // A single environment may be more than one instance can take: more instances are no help.
    if ((busiest < BUSIEST && p99 < WAIT_MS) || count > load.environments) return { count, needed, busiest, p50, p99 };
  }
}

/** Limits that more instances of a service do not raise: the used part of each, the largest first. */
function limitsOf({ environments }, commits, parts, costs, { shardCores, busy }) {
  const mongodb = parts.find(({ name }) => name === 'mongodb');
  const projection = parts.find(({ name }) => name === 'projection');
  const limits = [
    ['one replica set of MongoDB', mongodb.needed / (shardCores * busy), 'shard MongoDB (docs/scaling/sharding.md)'],
    [
      'the process that takes commits to Kafka',
      commits / costs.relay.commits,
      'split organizations between installations',
    ],
    [`${PARTITIONS} partitions of the topic`, projection.count / PARTITIONS, 'make the topic with more partitions'],
    [
      'one environment',
      commits / environments / costs.environment.changed,
      'divide busy environments, and report them together in a logical one',
    ],
  ];
  return limits.map(([name, used, then]) => ({ name, used, then })).sort((one, other) => other.used - one.used);
}
