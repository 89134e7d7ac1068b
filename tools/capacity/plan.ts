import type { Cost, COSTS, MACHINES } from './costs.ts';
import { type Load, simulate } from './simulate.ts';

type Costs = typeof COSTS;
type Machines = typeof MACHINES;

/** Nobody should wait longer in the queue of one part (milliseconds, of one report in a hundred). */
const WAIT_MS = 100;
/** The busiest instance may be so busy. */
const BUSIEST = 0.85;
type Sized = 'gateway' | 'ingestion' | 'projection' | 'mongodb' | 'kafka';
/** Partitions of the topic as the service makes it. */
const PARTITIONS = 12;
const GB = 1e9;
const YEAR = 365 * 86_400;

/**
 * How much of everything a load needs.
 *
 * @returns parts with how many of each, disk, and the limits in the order in which they are reached as the load grows
 */
export function plan(load: Load, costs: Costs, machines: Machines) {
  const commits = load.reports * load.changed;
  const sized = (name: Sized, cores: number, least = 2, spread = load) => ({
    name,
    ...enough(spread, costs[name], cores, machines.busy, least),
  });
  const projection = sized('projection', machines.serviceCores);
  const mongodb = sized('mongodb', machines.shardCores, 1);
  const parts = [
    // Load balancers choose among gateways for each connection, whatever environment it is about.
    sized('gateway', machines.serviceCores, 2, { ...load, environments: Math.max(load.environments, load.reports) }),
    sized('ingestion', machines.serviceCores),
    projection,
    mongodb,
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
      // The topic keeps every commit: a new consumer group starts at the first one.
      kafka: (commits * YEAR * commit * machines.copies) / GB,
    },
    limits: limitsOf(load, commits, mongodb, projection, costs, machines),
  };
}

/** The smallest number of instances of which the busiest one keeps up. */
function enough(load: Load, cost: Cost, cores: number, busy: number, least: number) {
  const { reports, changed } = load;
  const milliseconds = cost.unchanged * (1 - changed) + cost.changed * changed;
  const needed = (reports * milliseconds) / 1_000;
  for (let count = Math.max(least, Math.ceil(needed / (cores * busy))); ; count = Math.ceil(count * 1.05 + 0.5)) {
    const { busiest, p50, p99 } = simulate(load, count, cores, cost);
    // A single environment may be more than one instance can take: more instances are no help.
    if ((busiest < BUSIEST && p99 < WAIT_MS) || count > load.environments) return { count, needed, busiest, p50, p99 };
  }
}

/** Limits that more instances of a service do not raise: the used part of each, the largest first. */
function limitsOf(
  { environments }: Load,
  commits: number,
  mongodb: { readonly needed: number },
  projection: { readonly count: number },
  costs: Costs,
  { shardCores, busy }: Machines,
) {
  const limits: readonly (readonly [name: string, used: number, then: string])[] = [
    ['one replica set of MongoDB', mongodb.needed / (shardCores * busy), 'shard MongoDB (docs/scaling/sharding.md)'],
    [
      'the process that takes commits to Kafka',
      commits / costs.relay.commits,
      'split organizations between installations',
    ],
    [
      `${PARTITIONS} partitions of the topic`,
      projection.count / PARTITIONS,
      'grow the topic (docs/scaling/services.md#more-partitions)',
    ],
    [
      'one environment',
      commits / environments / costs.environment.changed,
      'divide busy environments, and report them together in a logical one',
    ],
  ];
  return limits.map(([name, used, then]) => ({ name, used, then })).sort((one, other) => other.used - one.used);
}
